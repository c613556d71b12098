import { GRAM, Grams, quad } from './grams';
import { partsOf, type Secret, SHORTEST, WORD } from './parts';
import { toView, type View } from './view';
import { layersOf } from './views';

/** The maximum total size of the patterns, which bounds the time of a search. */
const MOST_PATTERN_BYTES = 256 * 1024;
const SPACE = 0x20;
/** The factor by which the first run's number is multiplied in the key of a pair of runs. */
const PAIR = 2 ** 20;

const isUpper = (byte: number) => byte >= 0x41 && byte <= 0x5a;
/** Maps spaces, line breaks and the plus sign of forms to one byte. */
const spaced = (byte: number) => (byte === 0x2b || (byte >= 0x09 && byte <= 0x0d) ? SPACE : byte);
const SPACED = Uint8Array.from({ length: 256 }, (_, byte) => spaced(byte));
/** Like `SPACED`, and maps ASCII letters to lower case. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => (isUpper(byte) ? byte + 0x20 : spaced(byte)));

const isWord = (byte: number | undefined) =>
  byte !== undefined && ((byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7a) || isUpper(byte));

function folded(bytes: Uint8Array, table: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += 1) copy[at] = table[bytes[at] ?? 0] ?? 0;
  return copy;
}

/** Returns four bytes as a number, mapped by `FOLDED`. */
const foldedQuad = (bytes: Uint8Array, at: number): number =>
  (((FOLDED[bytes[at] ?? 0] ?? 0) << 24) |
    ((FOLDED[bytes[at + 1] ?? 0] ?? 0) << 16) |
    ((FOLDED[bytes[at + 2] ?? 0] ?? 0) << 8) |
    (FOLDED[bytes[at + 3] ?? 0] ?? 0)) >>>
  0;

const binaryOf = (bytes: Uint8Array, from: number, to: number) =>
  Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');

/**
 * Returns the byte sequences that a text may occur as: in UTF-8 with each layer of its own escapes decoded, with non-ASCII letters in both cases, and
 * in Latin-1.
 */
function bytesOf(text: string): Uint8Array[] {
  const isLatin = /^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(text);
  const cases = /^[\0-\x7f]*$/.test(text) ? [text] : [text, text.toLowerCase(), text.toUpperCase()];
  const utf8 = cases.flatMap((each) => layersOf(toView(each)).map(({ bytes }) => bytes));
  return [...utf8, ...(isLatin ? [new Uint8Array(Buffer.from(text, 'latin1'))] : [])];
}

/** Returns each pattern of these secrets once, with its smallest width; 0 for words. */
function distinct(secrets: Secret[]): Map<string, number> {
  const parts = new Map<string, number>();
  for (const { text, width } of secrets.flatMap((secret) => partsOf(secret))) {
    const known = parts.get(text) ?? 0;
    if (text.trim().length < SHORTEST) continue;
    parts.set(text, width === WORD ? known : known === 0 ? width : Math.min(width, known));
  }
  return parts;
}

/** Called with the start and the exclusive end of a range to mask, in UTF-16 units of the text. */
export type Mark = (from: number, to: number) => void;

/**
 * An index of the patterns of secrets: their runs of 8 bytes (`GRAM`), or of 16 for a text that is not known to be secret, case-insensitively. A
 * pattern of 4 to 7 bytes matches as a whole word, case-sensitively. Building takes time linear in the secrets, and a search a few lookups per
 * position of the text, whatever they contain.
 */
export class SecretIndex {
  private readonly grams = new Grams();
  /** One bit for each possible first two bytes of a run, which excludes most positions of a text. */
  private readonly starts = new Uint32Array(2_048);
  /** By the number of a run: 1 if the run is masked even without its neighbours. */
  private alone = new Uint8Array(64);
  /** Wider patterns, by width: the numbers of their first and last 8 bytes, combined in one key. */
  private readonly pairs = new Map<number, Set<number>>();
  /** Words as binary strings, the numbers of their first four bytes, and their lengths (4 to 15). */
  private readonly words = new Set<string>();
  private readonly wordStarts = new Set<number>();
  private readonly wordLengths = new Set<number>();
  /** The starts of secrets, for texts that were cut within one. */
  private readonly heads = new Set<string>();
  /** The total size of the patterns. */
  patternBytes = 0;

  constructor(secrets: Secret[]) {
    for (const [text, width] of distinct(secrets)) {
      for (const bytes of bytesOf(text.toWellFormed())) {
        this.patternBytes += bytes.length;
        if (this.isTooLarge) return;
        this.add(bytes, width);
      }
    }
  }

  /** Whether the patterns exceed the maximum size, so that nothing can be masked. */
  get isTooLarge(): boolean {
    return this.patternBytes > MOST_PATTERN_BYTES;
  }

  private add(raw: Uint8Array, most: number): void {
    const { length } = raw;
    if (length < SHORTEST) return;
    if (length < GRAM || most === 0) this.addWord(folded(raw, SPACED));
    if (most === 0) return;
    const bytes = folded(raw, FOLDED);
    for (let head = SHORTEST; head < Math.min(length, most); head += 1) {
      this.heads.add(binaryOf(bytes, 0, head));
    }
    if (length >= GRAM) this.addRuns(bytes, Math.min(most, length), most);
  }

  private addWord(bytes: Uint8Array): void {
    this.words.add(binaryOf(bytes, 0, bytes.length));
    this.wordStarts.add(quad(bytes, 0));
    this.wordLengths.add(bytes.length);
  }

  private addGram(bytes: Uint8Array, at: number): number {
    const start = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
    this.starts[start >>> 5] = (this.starts[start >>> 5] ?? 0) | (1 << (start & 31));
    return this.grams.add(quad(bytes, at), quad(bytes, at + 4));
  }

  private markAlone(id: number): void {
    if (id >= this.alone.length) {
      const { alone } = this;
      this.alone = new Uint8Array(id * 2);
      this.alone.set(alone);
    }
    this.alone[id] = 1;
  }

  private addRuns(bytes: Uint8Array, width: number, most: number): void {
    const pairs = this.pairs.get(width) ?? new Set();
    if (width > GRAM) this.pairs.set(width, pairs);
    // The number of equal bytes before `end`.
    let equal = 0;
    for (let end = 1; end <= bytes.length; end += 1) {
      equal = end > 1 && bytes[end - 1] === bytes[end - 2] ? equal + 1 : 1;
      const at = end - width;
      // Ignores repetitions of one byte, such as a line of dashes or an indentation in a request body.
      if (at < 0 || (equal >= width && (bytes[at] === SPACE || most > GRAM))) continue;
      const start = this.addGram(bytes, at);
      if (width === GRAM) this.markAlone(start);
      else pairs.add(start * PAIR + this.addGram(bytes, end - GRAM));
    }
  }

  /** Marks all matches in a view. Words are only matched if the view is the text itself (`isText`), not a decoded part of it. */
  scan({ bytes, from, to }: View, isText: boolean, mark: Mark): void {
    const { grams, starts, alone, pairs } = this;
    const markRun = (at: number, length: number) => mark(from[at] ?? 0, to[at + length - 1] ?? 0);
    const numbers = pairs.size > 0 ? new Uint32Array(bytes.length) : null;
    let next = FOLDED[bytes[0] ?? 0] ?? 0;
    for (let at = 0; at + GRAM <= bytes.length; at += 1) {
      const start = (next << 8) | (FOLDED[bytes[at + 1] ?? 0] ?? 0);
      next = start & 0xff;
      if (((starts[start >>> 5] ?? 0) & (1 << (start & 31))) === 0) continue;
      const id = grams.find(foldedQuad(bytes, at), foldedQuad(bytes, at + 4));
      if (id === 0) continue;
      if (alone[id] === 1) markRun(at, GRAM);
      if (numbers === null) continue;
      numbers[at] = id;
      for (const [width, wanted] of pairs) {
        const first = at + GRAM - width;
        const before = first < 0 ? 0 : (numbers[first] ?? 0);
        if (before !== 0 && wanted.has(before * PAIR + id)) markRun(first, width);
      }
    }
    if (isText && this.words.size > 0) this.scanWords(bytes, markRun);
  }

  private scanWords(raw: Uint8Array, markRun: (at: number, length: number) => void): void {
    const bytes = folded(raw, SPACED);
    for (let at = 0; at + SHORTEST <= bytes.length; at += 1) {
      if (isWord(bytes[at - 1]) || !this.wordStarts.has(quad(bytes, at))) continue;
      for (const length of this.wordLengths) {
        if (at + length > bytes.length || isWord(bytes[at + length])) continue;
        if (this.words.has(binaryOf(bytes, at, at + length))) markRun(at, length);
      }
    }
  }

  /** If a view ends with the start of a secret, marks it up to `last`. Only for starts of up to 16 bytes, because `scan` finds longer ones. */
  scanEnd({ bytes, from }: View, last: number, mark: Mark): void {
    if (this.heads.size === 0) return;
    const end = bytes.length;
    const last16 = folded(bytes.subarray(Math.max(0, end - 2 * GRAM)), FOLDED);
    const tail = binaryOf(last16, 0, last16.length);
    for (let length = tail.length; length >= SHORTEST; length -= 1) {
      if (!this.heads.has(tail.slice(-length))) continue;
      mark(from[end - length] ?? 0, last);
      return;
    }
  }
}
