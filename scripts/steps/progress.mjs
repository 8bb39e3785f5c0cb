/** Prints a line about a step, and how long it took once it is over. */
export async function step(name, body) {
  const start = performance.now();
  try {
    const result = await body();
    console.log(`${mark('✓', 32)} ${name} ${seconds(start)}`);
    return result;
  } catch (error) {
    console.log(`${mark('✗', 31)} ${name} ${seconds(start)}`);
    throw error;
  }
}

function seconds(start) {
  const text = `${((performance.now() - start) / 1000).toFixed(1)} s`;
  return process.stdout.isTTY ? `\x1b[2m${text}\x1b[22m` : `(${text})`;
}

function mark(sign, colour) {
  return process.stdout.isTTY ? `\x1b[${colour}m${sign}\x1b[39m` : sign;
}
