import { Injectable, ProviderScope, Scope } from '@tsed/di';
import { MongooseService } from '@tsed/mongoose';
import type { ClientSession } from 'mongoose';

/** One per request and one per run of a job: a transaction of its own, which ends with it. */
@Injectable()
@Scope(ProviderScope.REQUEST)
export class UnitOfWork {
  #session: ClientSession | undefined;

  constructor(private readonly mongoose: MongooseService) {}

  /** Does several writes together or not at all. */
  async transaction<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
    this.#session ??= await this.mongoose.get()?.startSession();
    if (this.#session === undefined) throw new Error('There is no Mongoose connection');
    return this.#session.withTransaction(work);
  }

  /** Called by Ts.ED at the end of the request, or of the run. */
  async $onDestroy(): Promise<void> {
    await this.#session?.endSession();
  }
}
