// @ts-check

/** Whether the start script writes JSON as well, or text for a terminal. */
let isJson = false;

/** Where lines go. @type {NodeJS.WriteStream & { fd: 1 | 2 }} */
let output = process.stdout;

/** Sends lines to standard error from now on, because the standard output of a command is its result. */
export function keepStdout() {
  output = process.stderr;
}

/** Returns the file descriptor that lines are written to, for child processes that write some as well. */
export const notesFd = () => output.fd;

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
  print(`${JSON.stringify(line)}\n`);
}

/**
 * Prints a message on its own line.
 * @param {string} msg
 * @param {'info' | 'warn'} [level]
 */
export function say(msg, level = 'info') {
  if (isJson) note(level, msg);
  else print(`${msg}\n`);
}

/**
 * Prints a part of a line.
 * @param {string} text
 */
export function print(text) {
  output.write(text);
}

/** @param {number} ms */
export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
