/** Truncates a text to at most `max` UTF-16 units with an ellipsis, never inside a character. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** Truncates a text in its middle to at most `max` UTF-16 units, so that its start and its end stay. Never splits a character. */
export function shortenMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const start = text.slice(0, Math.ceil((max - 1) / 2));
  const end = text.slice(text.length - Math.floor((max - 1) / 2));
  return `${start.replace(/[\ud800-\udbff]$/, '')}…${end.replace(/^[\udc00-\udfff]/, '')}`;
}

export interface Limit {
  /** Escapes one character; the default keeps it. */
  encode?: (text: string) => string;
  /** The size of an escaped text; the default counts UTF-16 units. */
  size?: (text: string) => number;
  /** The end of a truncated text. */
  ellipsis?: string;
}

/** The size of a text in UTF-8. */
export const inBytes = (text: string) => Buffer.byteLength(text);

/** The size of a text inside a JSON string, in UTF-8. */
export const inJsonBytes = (text: string) => inBytes(JSON.stringify(text)) - 2;

const ELLIPSIS = '…';

/** Escapes a text and truncates it to a size of at most `max` with an ellipsis, never inside a character or an escape sequence. */
export function fitText(
  text: string,
  max: number,
  { encode = (it) => it, size = (it) => it.length, ellipsis = ELLIPSIS }: Limit = {},
): string {
  const whole = encode(text);
  if (size(whole) <= max) return whole;
  const room = max - size(ellipsis);
  let fitted = '';
  let used = 0;
  for (const character of text) {
    const escaped = encode(character);
    used += size(escaped);
    if (used > room) break;
    fitted += escaped;
  }
  return fitted + ellipsis;
}

/** Splits a text into pieces of at most `max` characters, between lines or names if possible. */
export function pieces(text: string, max: number): string[] {
  if (text.length <= max) return [text];
  const start = text.slice(0, max);
  const end = [start.lastIndexOf('\n') + 1, start.lastIndexOf(', ') + 2, start.lastIndexOf(' ') + 1].find(
    (at) => at > 1,
  );
  const cut = end ?? (/[\ud800-\udbff]$/.test(start) ? max - 1 : max);
  return [text.slice(0, cut).trimEnd(), ...pieces(text.slice(cut), max)];
}
