// @ts-check
import { note, print, writesJson } from './notes.mjs';

/** An error that is not a bug: why a command cannot continue, in one displayable line. */
export class Refusal extends Error {
  /**
   * @param {string} message
   * @param {string} [details] the output of another program, if one line is not enough
   */
  constructor(message, details = '') {
    super(message);
    this.details = details;
  }
}

/**
 * Runs a step and prints a line with its duration.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(name, work) {
  const started = performance.now();
  const isJson = writesJson();
  if (isJson) note('info', name);
  else print(`${name} … `);
  let end = 'failed';
  try {
    const result = await work();
    end = seconds(started);
    return result;
  } finally {
    if (isJson) note('info', `${name} … ${end}`);
    else print(`${end}\n`);
  }
}

/**
 * Returns the formatted time since `started` (of `performance.now()`).
 * @param {number} started
 */
export function seconds(started) {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}

/**
 * Returns the displayed text of an error: one line, without a stack.
 * @param {unknown} error
 */
export function oneLine(error) {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.message === '') return oneLine(error.errors[0]);
  if ('code' in error && error.code === 'ENOSPC') return 'There is no space left on the disk.';
  return error.message.trim().replace(/\s*\n\s*/g, ' ');
}

/**
 * Prints an error on standard error: one line, after the output of another program if there is any.
 * @param {unknown} error
 */
export function complain(error) {
  if (writesJson()) {
    const details = error instanceof Refusal && error.details !== '' ? { details: error.details } : {};
    note('fatal', oneLine(error), details);
    return;
  }
  if (error instanceof Refusal && error.details !== '') console.error(error.details);
  console.error(process.env.LOG_LEVEL === 'debug' ? error : oneLine(error));
}

/**
 * Runs a command's main function. An error ends the process with exit code 1.
 * @param {() => Promise<void>} main
 */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    complain(error);
    process.exitCode = 1;
  }
}
