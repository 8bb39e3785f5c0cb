import type { WatchObserver } from '@monque/core';

/** Passes what the stores of this process do to a database on to all who watch it. */
export class Channel {
  readonly #observers = new Set<WatchObserver<string>>();

  add(observer: WatchObserver<string>): void {
    this.#observers.add(observer);
  }

  delete(observer: WatchObserver<string>): void {
    this.#observers.delete(observer);
  }

  due(nextRunAt: Date, name: string | undefined): void {
    this.#tell((observer) => observer.due(new Date(nextRunAt), name));
  }

  stopped(ids: readonly string[]): void {
    this.#tell((observer) => {
      for (const id of ids) observer.stopped(id);
    });
  }

  /** Never within the write itself: an observer that writes in turn must find the store at rest. */
  #tell(call: (observer: WatchObserver<string>) => void): void {
    for (const observer of this.#observers) {
      queueMicrotask(() => {
        if (this.#observers.has(observer)) call(observer);
      });
    }
  }
}

const ofFiles = new Map<string, Channel>();
const ofConnections = new WeakMap<object, Channel>();

/** The channel of a database: by its file, or by its connection where it lives in memory. */
export function channelOf(database: { readonly memory: boolean }, path: string): Channel {
  const known = database.memory ? ofConnections.get(database) : ofFiles.get(path);
  const channel = known ?? new Channel();
  if (database.memory) ofConnections.set(database, channel);
  else ofFiles.set(path, channel);
  return channel;
}
