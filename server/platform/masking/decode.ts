import { HEX } from './decode-escapes';
import { type View, ViewBuilder } from './view';

/** Shorter runs of base64 digits or numbers cannot contain a secret of the minimum length. */
const SHORTEST_BASE64 = 11;
const SHORTEST_HEX = 16;
const SHORTEST_LIST = 8;
const MOST_GROUPS = 64;
/** Shorter lines are words instead of wrapped base64. */
const SHORTEST_LINE = 16;

const ALPHABETS = ['+/', '-_'].map((end) => `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789${end}`);
/** Marks a byte that may separate digits of one value, because a text is wrapped or grouped. */
const GAP = -1;
const OTHER = -2;
const isSpace = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/** The number of each base64 digit (RFC 4648 §4 and §5), `GAP` or `OTHER`. */
const BASE64 = Int8Array.from({ length: 256 }, (_, byte) => {
  const digit = Math.max(...ALPHABETS.map((alphabet) => alphabet.indexOf(String.fromCharCode(byte))));
  return digit >= 0 ? digit : isSpace(byte) ? GAP : OTHER;
});

/** The number of each hexadecimal digit, `GAP` or `OTHER`. */
const GROUPED_HEX = HEX.map((digit, byte) =>
  digit >= 0 ? digit : isSpace(byte) || ':,-'.includes(String.fromCharCode(byte)) ? GAP : OTHER,
);

/** The start and the end of digits that belong together. */
type Run = [start: number, end: number];

function base64Runs({ bytes }: View): Run[] {
  const runs: Run[] = [];
  const { length } = bytes;
  for (let at = 0; at < length; at += 1) {
    if ((BASE64[bytes[at] ?? 0] ?? OTHER) < 0) continue;
    const start = at;
    let count = 0;
    for (;;) {
      const line = at;
      while (at < length && (BASE64[bytes[at] ?? 0] ?? OTHER) >= 0) at += 1;
      count += at - line;
      if (at - line < SHORTEST_LINE) break;
      while (at < length && BASE64[bytes[at] ?? 0] === GAP) at += 1;
    }
    if (count >= SHORTEST_BASE64) runs.push([start, at]);
  }
  return runs;
}

const isX = (byte: number | undefined) => byte === 0x78 || byte === 0x58;

/** Returns the digit at a position. The 0 and the x of 0x61 are a gap. */
function hexAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0;
  if (byte === 0x30 && isX(bytes[at + 1])) return GAP;
  if (isX(byte) && bytes[at - 1] === 0x30) return GAP;
  return GROUPED_HEX[byte] ?? OTHER;
}

function hexRuns({ bytes }: View): Run[] {
  const runs: Run[] = [];
  const { length } = bytes;
  for (let at = 0; at < length; at += 1) {
    if ((HEX[bytes[at] ?? 0] ?? OTHER) < 0) continue;
    const start = at;
    let count = 0;
    for (let digit = hexAt(bytes, at); at < length && digit !== OTHER; digit = hexAt(bytes, at)) {
      if (digit >= 0) count += 1;
      at += 1;
    }
    if (count >= SHORTEST_HEX) runs.push([start, at]);
  }
  return runs;
}

/** Decodes runs of digits with `bits` bits each. Skips the first `phase` digits of each run. */
function decodeRuns(view: View, runs: Run[], bits: 4 | 6, phase: number): View {
  const { bytes, from, to } = view;
  const builder = new ViewBuilder(runs.reduce((sum, [start, end]) => sum + (((end - start) * bits) >> 3) + 2, 0));
  for (const [start, end] of runs) {
    let skipped = 0;
    let held = 0;
    let value = 0;
    // The position of the digit that contains the first bit of the next byte.
    let first = start;
    for (let at = start; at < end; at += 1) {
      const digit = bits === 6 ? (BASE64[bytes[at] ?? 0] ?? OTHER) : hexAt(bytes, at);
      if (digit < 0) continue;
      if (skipped < phase) {
        skipped += 1;
        continue;
      }
      if (held === 0) first = at;
      value = ((value << bits) | digit) & 0xffff;
      held += bits;
      if (held < 8) continue;
      held -= 8;
      builder.add((value >> held) & 0xff, from[first] ?? 0, to[at] ?? 0);
      first = at;
    }
    builder.separate();
  }
  return builder.build();
}

/** Decodes everything in a view that may be base64, wrapped or not, once for each of the four alignments. Empty if there is none. */
export function fromBase64(view: View): View[] {
  const runs = base64Runs(view);
  return runs.length === 0 ? [] : [0, 1, 2, 3].map((phase) => decodeRuns(view, runs, 6, phase));
}

/**
 * Decodes everything in a view that may be hexadecimal digits, in one run or in groups, optionally with 0x before each, once for each of the two
 * alignments. Empty if there are none.
 */
export function fromHex(view: View): View[] {
  const runs = hexRuns(view);
  return runs.length === 0 ? [] : [0, 1].map((phase) => decodeRuns(view, runs, 4, phase));
}

/** Decodes lists of decimal bytes: [104, 117] of JavaScript and Python, [104 117] of Go. */
export function fromLists(view: View): View[] {
  const builder = new ViewBuilder(0);
  const lists = new RegExp(`(?<![0-9])[0-9]{1,3}(?:[,;\\s]{1,20}[0-9]{1,3}){${SHORTEST_LIST - 1},}(?![0-9])`, 'g');
  for (const list of view.binary.matchAll(lists)) {
    for (const number of list[0].matchAll(/[0-9]+/g)) {
      const at = list.index + number.index;
      builder.add(Number(number[0]) & 0xff, view.from[at] ?? 0, view.to[at + number[0].length - 1] ?? 0);
    }
    builder.separate();
  }
  return builder.length === 0 ? [] : [builder.build()];
}

/** Matches an encoded character or a soft line break. Control characters are not encoded, so "page=10" is plain text. */
const CODE = /=(?:([2-9A-Fa-f][0-9A-Fa-f]|0[9ADad])|[ \t]{0,8}\r?\n)/y;

/** Decodes quoted-printable text (RFC 2045 §6.7) in the parts of a view that contain codes. Any other equals sign ends such a part. */
export function fromQuotedPrintable(view: View): View[] {
  const { from, to, bytes, binary } = view;
  const builder = new ViewBuilder(0);
  let rest = 0;
  let hasCodes = false;
  for (let at = bytes.indexOf(0x3d); at >= 0; at = bytes.indexOf(0x3d, Math.max(rest, at + 1))) {
    CODE.lastIndex = at;
    const [text, code] = CODE.exec(binary) ?? [];
    if (text !== undefined || hasCodes) builder.copy(view, rest, at);
    if (text === undefined) {
      if (hasCodes) builder.separate();
      hasCodes = false;
      rest = at + 1;
      continue;
    }
    hasCodes = true;
    rest = at + text.length;
    if (code !== undefined) builder.add(Number.parseInt(code, 16), from[at] ?? 0, to[rest - 1] ?? 0);
  }
  if (hasCodes) builder.copy(view, rest, bytes.length);
  return builder.length === 0 ? [] : [builder.build()];
}

const OFFSET = /(?:^|[>"'`])[ \t]{0,8}(?:0x)?[0-9A-Fa-f]{4,16}(?:[:h][ \t]{1,4}|[ \t]{1,4})/;
/** An offset and its first byte. */
const DUMPED = new RegExp(`${OFFSET.source}[0-9A-Fa-f]{2}`, 'm');
const GROUP = /([0-9A-Fa-f]{2}(?:[0-9A-Fa-f]{2}){0,7})([ \t:-]{0,64})/y;

/**
 * Decodes hex dumps (xxd, hexdump -C), in which offsets interrupt a secret in every line. Returns the bytes of the hexadecimal columns as one view,
 * and the character columns as another; empty if there is no dump.
 */
export function fromDumps(view: View): View[] {
  const { bytes, from, to } = view;
  if (!DUMPED.test(view.binary)) return [];
  const hexadecimal = new ViewBuilder(0);
  const characters = new ViewBuilder(0);
  let start = 0;
  for (const line of view.binary.split('\n')) {
    const offset = OFFSET.exec(line);
    let at = offset ? offset.index + offset[0].length : line.length;
    let count = 0;
    for (let groups = 0; groups < MOST_GROUPS && at < line.length; groups += 1) {
      GROUP.lastIndex = at;
      const [whole, digits = '', gap = ''] = GROUP.exec(line) ?? [];
      if (whole === undefined) break;
      for (let digit = 0; digit < digits.length; digit += 2) {
        const place = start + at + digit;
        hexadecimal.add(Number.parseInt(digits.slice(digit, digit + 2), 16), from[place] ?? 0, to[place + 1] ?? 0);
      }
      count += digits.length / 2;
      at += whole.length;
      // hexdump -C has two spaces in the middle, and a bar before the characters.
      if (gap.length > 1 && !(count === 8 && line.includes('|', at))) break;
    }
    if (count === 0) {
      hexadecimal.separate();
      characters.separate();
    } else {
      const shown = /^[|>]?(.*?)[|<]?\r?$/s.exec(line.slice(at))?.[1] ?? '';
      const first = start + at + Number(/^[|>]/.test(line.slice(at)));
      for (let index = first; index < first + shown.length; index += 1) {
        characters.add(bytes[index] ?? 0, from[index] ?? 0, to[index] ?? 0);
      }
    }
    start += line.length + 1;
  }
  return [hexadecimal, characters].filter(({ length }) => length > 0).map((builder) => builder.build());
}
