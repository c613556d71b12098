// @ts-check

/** Whether the start script writes JSON as well, or text for a terminal. */
let isJson = false;

/**
 * Sets the log format of the start script: LOG_FORMAT, else text in a terminal and JSON otherwise.
 * @param {string | undefined} format
 */
export function chooseFormat(format) {
  isJson = format === 'json' || (format !== 'text' && !process.stdout.isTTY);
}

/** Whether lines are JSON. */
export function writesJson() {
  return isJson;
}

/**
 * Writes a line into the stream of JSON lines that web and worker write to.
 * @param {'info' | 'warn' | 'error' | 'fatal'} level
 * @param {string} msg
 * @param {Record<string, unknown>} [fields]
 */
export function note(level, msg, fields = {}) {
  const line = { level, time: new Date().toISOString(), pid: process.pid, ...fields, msg };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/**
 * Prints a message on its own line.
 * @param {string} msg
 * @param {'info' | 'warn'} [level]
 */
export function say(msg, level = 'info') {
  if (isJson) note(level, msg);
  else console.log(msg);
}

/** @param {number} ms */
export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
