import type { ClientSession } from 'mongodb';
import { InvalidOptionError } from '../errors/input-errors.js';

/**
 * Accepts a session of any copy of the driver, known by what it can do.
 *
 * @throws InvalidOptionError for anything else: the driver would take some of it for a session, and fail in its own way.
 */
export function checkSession(value: unknown): ClientSession {
  if (isSession(value)) return value;
  throw new InvalidOptionError(
    'session',
    'Option "session" must be a ClientSession of the MongoDB driver, as client.startSession() gives',
  );
}

function isSession(value: unknown): value is ClientSession {
  try {
    const { inTransaction, hasEnded } = value as ClientSession;
    return typeof inTransaction === 'function' && typeof hasEnded === 'boolean';
  } catch {
    return false;
  }
}
