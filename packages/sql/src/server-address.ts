import { InvalidOptionError } from '@monque/core';

/**
 * Refuses a text that is no address of such a server, before anything is opened: a driver would take much of it for
 * something else.
 *
 * @param schemes - What addresses begin with, without the colon; the first is the one to recommend.
 */
export function checkAddress(address: string, schemes: readonly [string, ...string[]]): void {
  const scheme = URL.canParse(address) ? new URL(address).protocol.slice(0, -1) : undefined;
  if (scheme !== undefined && schemes.includes(scheme)) return;
  throw new InvalidOptionError(
    'connection',
    `The address of the server must begin with ${schemes.map((each) => `"${each}:"`).join(' or ')}, for instance ${schemes[0]}://user:password@host/database`,
  );
}
