/** Milliseconds of the machine's monotonic clock: the same in every process, so that processes can compare times. */
export function monotonic(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
