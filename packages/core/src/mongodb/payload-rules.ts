import type { PayloadRules } from '../store/store-options.js';
import type { DriverClasses } from './documents/object-id.js';

/** What MongoDB takes at most for a document, less what the other fields of a job may need. */
const MAX_BYTES = 16 * 1024 * 1024 - 64 * 1024;

/** What MongoDB can hold; `driver` answers undefined until the store is open. */
export function payloadRules(driver: () => DriverClasses | undefined): PayloadRules {
  return {
    maxBytes: MAX_BYTES,
    bigint: true,
    sizeOf(data) {
      try {
        const size = driver()?.calculateObjectSize?.({ data }, { ignoreUndefined: true });
        if (size !== undefined) return size;
      } catch {
        // Ids of another version of the driver, which the imported one refuses to measure.
      }
      const text = JSON.stringify(data, (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      );
      return Buffer.byteLength(text ?? '');
    },
  };
}
