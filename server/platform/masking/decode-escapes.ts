import { decodeHTML } from 'entities';
import { type View, ViewBuilder } from './view';

/** The values of hexadecimal digits, -1 for other bytes. */
export const HEX = Int8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return /[0-9A-Fa-f]/.test(character) ? Number.parseInt(character, 16) : -1;
});

/** The bytes that an escape represents (one per character), and its end. */
interface Escape {
  plain: string;
  end: number;
}

const code = (character: string) => character.charCodeAt(0);
const LETTERS: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '', f: '', v: '', a: '', e: '' };

const utf8 = (text: string) => Buffer.from(text.toWellFormed()).toString('latin1');
const codePoint = (value: number) =>
  value < 0x80 ? String.fromCharCode(value) : value <= 0x10ffff ? utf8(String.fromCodePoint(value)) : '';

/** Returns the number of hexadecimal digits from `at`, up to `most`. */
function hexDigits(bytes: Uint8Array, at: number, most: number): number {
  let count = 0;
  while (count < most && at + count < bytes.length && (HEX[bytes[at + count] ?? 0] ?? -1) >= 0) count += 1;
  return count;
}

function hexAt(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let index = at; index < at + count; index += 1) value = value * 16 + (HEX[bytes[index] ?? 0] ?? 0);
  return value;
}

/** Decodes exactly `digits` hexadecimal digits from `at`; null if there are fewer. */
function hexEscape(bytes: Uint8Array, at: number, digits: number): Escape | null {
  if (hexDigits(bytes, at, digits) < digits) return null;
  const value = hexAt(bytes, at, digits);
  return { plain: digits === 2 ? String.fromCharCode(value) : codePoint(value), end: at + digits };
}

const isBetween = (byte: number | undefined, min: number, max: number) =>
  byte !== undefined && byte >= min && byte <= max;

/**
 * Skips terminal commands, control characters and zero-width characters, which are invisible and may interrupt a secret. Returns the end of the one
 * at `at`, or `at`.
 */
function endOfInvisible(bytes: Uint8Array, at: number): number {
  const [byte = 0, next = 0, third = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]];
  if (byte === 0xc2) return isBetween(next, 0x80, 0x9f) || next === 0xad ? at + 2 : at;
  // U+200B to U+200F, U+2028 to U+202E, U+2060 to U+206F
  if (byte === 0xe2 && next === 0x80 && (isBetween(third, 0x8b, 0x8f) || isBetween(third, 0xa8, 0xae))) return at + 3;
  if (byte === 0xe2) return next === 0x81 && isBetween(third, 0xa0, 0xaf) ? at + 3 : at;
  if (byte === 0xef) return next === 0xbb && third === 0xbf ? at + 3 : at;
  if (byte !== 0x1b) return at + 1;
  let end = at + 1 + Number(next === code('['));
  if (next === code('[')) while (isBetween(bytes[end], 0x30, 0x3f)) end += 1;
  while (isBetween(bytes[end], 0x20, 0x2f)) end += 1;
  return isBetween(bytes[end], next === code('[') ? 0x40 : 0x30, 0x7e) ? end + 1 : at + 1;
}

/** Decodes \ud83d\ude00 of JSON, JavaScript and Java, from its first digit at `at`. Null if that is not a valid surrogate pair. */
function surrogates(bytes: Uint8Array, at: number): Escape | null {
  if (bytes[at + 4] !== code('\\') || bytes[at + 5] !== code('u')) return null;
  if (hexDigits(bytes, at, 4) < 4 || hexDigits(bytes, at + 6, 4) < 4) return null;
  const [high, low] = [hexAt(bytes, at, 4), hexAt(bytes, at + 6, 4)];
  const isPair = isBetween(high, 0xd800, 0xdbff) && isBetween(low, 0xdc00, 0xdfff);
  return isPair ? { plain: utf8(String.fromCharCode(high, low)), end: at + 10 } : null;
}

/** Decodes \u{e9} and \x{e9}, from the brace at `at`; null for anything else. */
function braced(bytes: Uint8Array, at: number): Escape | null {
  if (bytes[at] !== code('{')) return null;
  const digits = hexDigits(bytes, at + 1, 8);
  if (digits === 0 || bytes[at + 1 + digits] !== code('}')) return null;
  return { plain: codePoint(hexAt(bytes, at + 1, digits)), end: at + 2 + digits };
}

/** Decodes up to three octal digits of one byte, from the first one at `at`. */
function octal(bytes: Uint8Array, at: number): Escape {
  const most = isBetween(bytes[at], 0x30, 0x33) ? 3 : 2;
  let value = 0;
  let end = at;
  for (; end < at + most && isBetween(bytes[end], 0x30, 0x37); end += 1) value = value * 8 + (bytes[end] ?? 0) - 0x30;
  return { plain: String.fromCharCode(value), end };
}

/** Decodes escapes of JSON, JavaScript, Python, Go, Java, .NET, shells and SQL, from the byte after the backslash; null if there is none. */
function backslashed(bytes: Uint8Array, at: number): Escape | null {
  const next = bytes[at] ?? 0;
  let found: Escape | null = null;
  if (next === code('u')) found = surrogates(bytes, at + 1) ?? hexEscape(bytes, at + 1, 4) ?? braced(bytes, at + 1);
  else if (next === code('x')) found = hexEscape(bytes, at + 1, 2) ?? braced(bytes, at + 1);
  else if (next === code('U')) found = hexEscape(bytes, at + 1, 8);
  else if (isBetween(next, 0x30, 0x37)) found = octal(bytes, at);
  else if (next === 0x0a || (next === 0x0d && bytes[at + 1] === 0x0a)) {
    found = { plain: '', end: at + (next === 0x0a ? 1 : 2) };
  }
  if (found) return found;
  // Does not decode the start of another escape, or a character that is dropped, because those are decoded first.
  if (!isBetween(next, 0x20, 0x7e) || next === code('%') || next === code('&')) return null;
  const letter = String.fromCharCode(next);
  return { plain: LETTERS[letter] ?? letter, end: at + 1 };
}

const isLetter = (byte: number | undefined) => isBetween(byte, 0x61, 0x7a) || isBetween(byte, 0x41, 0x5a);

/** Decodes &#xE9; and &#233; of HTML and XML, from the byte after the number sign; null without digits. The semicolon may be missing. */
function numericReference(bytes: Uint8Array, at: number): Escape | null {
  const isHex = bytes[at] === code('x') || bytes[at] === code('X');
  const first = at + Number(isHex);
  let end = first;
  let value = 0;
  for (; end < Math.min(first + 12, bytes.length); end += 1) {
    const digit = HEX[bytes[end] ?? 0] ?? -1;
    if (digit < 0 || (!isHex && digit > 9)) break;
    value = value * (isHex ? 16 : 10) + digit;
  }
  if (end === first) return null;
  return { plain: codePoint(value), end: end + Number(bytes[end] === code(';')) };
}

const MOST_KNOWN = 500;
/** Caches the values of named references, because the library is slow; null for unknown names. */
const known = new Map<string, string | null>();

function characterOf(name: string): string | null {
  const found = known.get(name);
  if (found !== undefined) return found;
  const character = decodeHTML(name);
  const plain = character === name ? null : utf8(character);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(name, plain);
  return plain;
}

/** Decodes &eacute;, from the byte after the ampersand; null for an unknown name. The semicolon may be missing. */
function namedReference(bytes: Uint8Array, at: number): Escape | null {
  let end = at;
  while (end < at + 32 && (isLetter(bytes[end]) || (end > at && isBetween(bytes[end], 0x30, 0x39)))) end += 1;
  if (end - at < 2) return null;
  if (bytes[end] === code(';')) end += 1;
  const plain = characterOf(Buffer.from(bytes.buffer, bytes.byteOffset + at - 1, end - at + 1).toString('latin1'));
  return plain === null ? null : { plain, end };
}

const INVISIBLE = 1;
/** What can begin at a byte: the first byte of an escape, `INVISIBLE`, or 0 for nothing. */
const STARTS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if ('\\%&_"\''.includes(String.fromCharCode(byte))) return byte;
  const isControl = (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) || byte === 0x7f;
  return isControl || byte === 0xc2 || byte === 0xe2 || byte === 0xef ? INVISIBLE : 0;
});

/** Returns the escape that begins at `at`; null if none does. */
function escapeAt(bytes: Uint8Array, at: number): Escape | null {
  const start = STARTS[bytes[at] ?? 0] ?? 0;
  const next = bytes[at + 1] ?? 0;
  switch (start) {
    case INVISIBLE: {
      const end = endOfInvisible(bytes, at);
      return end === at ? null : { plain: '', end };
    }
    case code('\\'):
      return backslashed(bytes, at + 1);
    case code('%'):
      return next === code('u') ? hexEscape(bytes, at + 2, 4) : hexEscape(bytes, at + 1, 2);
    case code('&'):
      return next === code('#') ? numericReference(bytes, at + 2) : namedReference(bytes, at + 1);
    case code('_'): {
      const found = next === code('x') ? hexEscape(bytes, at + 2, 4) : null;
      return found && bytes[found.end] === code('_') ? { plain: found.plain, end: found.end + 1 } : null;
    }
    default:
      // Doubled quotes of SQL and CSV
      return next === start && at + 1 < bytes.length ? { plain: String.fromCharCode(start), end: at + 2 } : null;
  }
}

/** Decodes one layer of escapes in a view; null if it has none. */
export function decodeEscapes(view: View): View | null {
  const { bytes, from, to } = view;
  let builder: ViewBuilder | null = null;
  let rest = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (STARTS[bytes[at] ?? 0] === 0) continue;
    const found = escapeAt(bytes, at);
    if (found === null) continue;
    builder ??= new ViewBuilder(bytes.length);
    builder.copy(view, rest, at);
    const { plain, end } = found;
    for (let index = 0; index < plain.length; index += 1) {
      builder.add(plain.charCodeAt(index), from[at] ?? 0, to[end - 1] ?? 0);
    }
    rest = end;
    at = end - 1;
  }
  builder?.copy(view, rest, bytes.length);
  return builder?.build() ?? null;
}
