import { Injectable } from '@tsed/di';
import { Logger } from '@tsed/logger';

/** One for the whole application, as every provider is unless it says otherwise. */
@Injectable()
export class Mailer {
  readonly sent: { readonly to: string; readonly subject: string }[] = [];

  constructor(private readonly logger: Logger) {}

  async send(to: string, subject: string): Promise<void> {
    this.sent.push({ to, subject });
    this.logger.info({ event: 'MAIL', to, subject });
  }
}
