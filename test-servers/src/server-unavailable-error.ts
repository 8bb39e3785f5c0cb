/** A kind of server cannot be had; the message says what was tried and what to set. */
export class ServerUnavailableError extends Error {
  override readonly name = 'ServerUnavailableError';

  constructor(product: string, tried: readonly string[], advice: string) {
    super([`No ${product} was found.`, ...tried.map((reason) => `  - ${reason}`), advice].join('\n'));
  }
}
