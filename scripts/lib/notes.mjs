// @ts-check

/**
 * Writes a line into the same stream of JSON lines that web and worker write.
 * @param {'info' | 'warn' | 'error'} level
 * @param {string} msg
 */
export function note(level, msg) {
  process.stdout.write(`${JSON.stringify({ level, time: new Date().toISOString(), pid: process.pid, msg })}\n`);
}

/** @param {number} ms */
export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
