import { binaryOf, type View, ViewBuilder } from './view';

/** Fewer characters or numbers hold no secret that is looked for. */
const SHORTEST_BASE64 = 11;
const SHORTEST_HEX = 16;
const SHORTEST_LIST = 8;
const MOST_GROUPS = 64;

/** What separates the digits of one value where a text is wrapped or grouped. */
const isSpace = (code: number) => code === 0x20 || (code >= 0x09 && code <= 0x0d);

function digitsOf(alphabets: string[]): Int8Array {
  const digits = new Int8Array(256).fill(-1);
  for (const alphabet of alphabets) {
    for (let index = 0; index < alphabet.length; index += 1) digits[alphabet.charCodeAt(index)] = index;
  }
  return digits;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const BASE64 = digitsOf([`${LETTERS}+/`, `${LETTERS}-_`]);
const HEX = digitsOf(['0123456789abcdef', '0123456789ABCDEF']);

/** The positions of digits that belong together, wherever a text is wrapped, as runs. */
function runsOf(
  { bytes }: View,
  digits: Int8Array,
  shortest: number,
  isSkipped: (index: number) => boolean,
): number[][] {
  const runs: number[][] = [];
  let run: number[] = [];
  for (let index = 0; index <= bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (index < bytes.length && isSkipped(index)) continue;
    if (index < bytes.length && (digits[byte] ?? -1) >= 0) run.push(index);
    else if (run.length > 0) {
      if (run.length >= shortest) runs.push(run);
      run = [];
    }
  }
  return runs;
}

/** Decodes runs of digits from the `phase`th on: `bits` a digit. */
function decodeRuns({ bytes, from, to }: View, runs: number[][], digits: Int8Array, bits: number, phase: number): View {
  const builder = new ViewBuilder(bytes.length + 1);
  for (const run of runs) {
    let held = 0;
    let value = 0;
    // The digit with the first bit of the next byte.
    let first = phase;
    for (let index = phase; index < run.length; index += 1) {
      const at = run[index] ?? 0;
      if (held === 0) first = index;
      value = ((value << bits) | (digits[bytes[at] ?? 0] ?? 0)) & 0xffff;
      held += bits;
      if (held < 8) continue;
      held -= 8;
      builder.add((value >> held) & 0xff, from[run[first] ?? 0] ?? 0, to[at] ?? 0);
      first = index;
    }
    builder.separate();
  }
  return builder.build();
}

/** What base64 may encode in a view (RFC 4648 §4 and §5), wrapped or not, wherever a group of four digits begins. */
export function fromBase64(view: View): View[] {
  const runs = runsOf(view, BASE64, SHORTEST_BASE64, (index) => isSpace(view.bytes[index] ?? 0));
  return runs.length === 0 ? [] : [0, 1, 2, 3].map((phase) => decodeRuns(view, runs, BASE64, 6, phase));
}

/** What hexadecimal digits may encode in a view: in one run or in groups, and with 0x before each. */
export function fromHex(view: View): View[] {
  const { bytes } = view;
  const isX = (index: number) => bytes[index] === 0x78 || bytes[index] === 0x58;
  const isSeparator = (byte: number) => isSpace(byte) || byte === 0x3a || byte === 0x2c || byte === 0x2d;
  const isSkipped = (index: number) =>
    isSeparator(bytes[index] ?? 0) ||
    (bytes[index] === 0x30 && isX(index + 1)) ||
    (isX(index) && bytes[index - 1] === 0x30);
  const runs = runsOf(view, HEX, SHORTEST_HEX, isSkipped);
  return runs.length === 0 ? [] : [0, 1].map((phase) => decodeRuns(view, runs, HEX, 4, phase));
}

/** What lists of decimal bytes encode: [104, 117] of JavaScript and Python, [104 117] of Go. */
export function fromLists(view: View): View[] {
  const builder = new ViewBuilder(view.bytes.length + 1);
  const lists = new RegExp(`(?<![0-9])[0-9]{1,3}(?:[,;\\s]{1,20}[0-9]{1,3}){${SHORTEST_LIST - 1},}(?![0-9])`, 'g');
  for (const list of binaryOf(view).matchAll(lists)) {
    for (const number of list[0].matchAll(/[0-9]+/g)) {
      const at = list.index + number.index;
      builder.add(Number(number[0]) & 0xff, view.from[at] ?? 0, view.to[at + number[0].length - 1] ?? 0);
    }
    builder.separate();
  }
  return builder.length === 0 ? [] : [builder.build()];
}

/** What quoted-printable (RFC 2045 §6.7) encodes. */
export function fromQuotedPrintable(view: View): View[] {
  const { bytes, from, to } = view;
  const codes = [...binaryOf(view).matchAll(/=(?:([0-9A-Fa-f]{2})|[ \t]{0,8}\r?\n)/g)];
  if (codes.length === 0) return [];
  const builder = new ViewBuilder(bytes.length);
  let rest = 0;
  const keepUntil = (end: number) => {
    for (let index = rest; index < end; index += 1) builder.add(bytes[index] ?? 0, from[index] ?? 0, to[index] ?? 0);
  };
  for (const { index, 0: text, 1: code } of codes) {
    keepUntil(index);
    rest = index + text.length;
    if (code !== undefined) builder.add(Number.parseInt(code, 16), from[index] ?? 0, to[rest - 1] ?? 0);
  }
  keepUntil(bytes.length);
  return [builder.build()];
}

const OFFSET = /(?:^|[>"'`])[ \t]{0,8}(?:0x)?[0-9A-Fa-f]{4,16}(?:[:h][ \t]{1,4}|[ \t]{1,4})/;
const GROUP = /([0-9A-Fa-f]{2}(?:[0-9A-Fa-f]{2}){0,7})([ \t:-]{0,64})/y;

/**
 * What hex dumps show (xxd, hexdump -C): the bytes of their hexadecimal columns as one view, and the characters beside them as another. A line repeats
 * 16 bytes of a secret twice, between an offset and the next.
 */
export function fromDumps(view: View): View[] {
  const { bytes, from, to } = view;
  const hexadecimal = new ViewBuilder(bytes.length + 1);
  const characters = new ViewBuilder(bytes.length + 1);
  let start = 0;
  for (const line of binaryOf(view).split('\n')) {
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
