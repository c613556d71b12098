/** Terminal commands (ECMA-48): control sequences, operating system commands, two-character escapes. */
const TERMINAL_COMMAND =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]/gu;
/** Controls, line separators, bidirectional controls, and noncharacters. */
const NOT_TEXT = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}]+/gu;
const NOT_TEXT_BUT_LINES = /(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/gu;

/** Embeddings, overrides and isolates (UAX #9 §2.1–2.4): they reorder the text around them. Marks such as U+200F order neighbours only. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Removes characters that would reorder the text around a value. Names in right-to-left languages do not change, because their letters have an
 * inherent direction.
 */
export function withoutReordering<T>(value: T): T {
  if (typeof value === 'string') return value.replace(REORDERING, '') as T;
  if (Array.isArray(value)) return value.map(withoutReordering) as T;
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutReordering(each)])) as T;
}

/** Truncates a long text before it is filtered, with a margin for removed characters. */
const cut = (text: string, max: number) => (text.length > max * 8 ? text.slice(0, max * 8) : text);

/**
 * Returns external text as one line that can be stored, put into a message and printed on a terminal: well-formed Unicode, at most `max` UTF-16 units
 * and an ellipsis, without control characters and terminal commands.
 */
export function plainText(text: string, max: number): string {
  const clean = cut(text, max).replace(TERMINAL_COMMAND, '').replace(NOT_TEXT, ' ').toWellFormed();
  return clean.length > max ? `${clean.slice(0, max).toWellFormed()}…` : clean;
}

/** Like `plainText`, but for several lines: keeps tabs and line breaks, and truncates long text without an ellipsis. */
export function plainLines(text: string, max: number): string {
  const lines = text.replace(/\r\n?/g, '\n').replace(TERMINAL_COMMAND, '').replace(NOT_TEXT_BUT_LINES, '');
  return lines.toWellFormed().slice(0, max).toWellFormed();
}
