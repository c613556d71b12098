// @ts-check

/** Whether what the start script says is JSON as well; for people in a terminal it is text. */
let isJson = false;

/**
 * Chooses how the start script writes: LOG_FORMAT, else text in a terminal and JSON anywhere else.
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
 * Writes a line into the same stream of JSON lines that web and worker write.
 * @param {'info' | 'warn' | 'error' | 'fatal'} level
 * @param {string} msg
 * @param {Record<string, unknown>} [fields]
 */
export function note(level, msg, fields = {}) {
  const line = { level, time: new Date().toISOString(), pid: process.pid, ...fields, msg };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/**
 * Says something to whoever started us, as a line of its own.
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
