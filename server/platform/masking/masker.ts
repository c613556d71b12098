import { MASK } from '../secrets';
import { GRAM, Grams, quad, restOf } from './grams';
import { partsOf, type Secret, SHORTEST } from './parts';
import { binaryOf, toView, type View } from './view';
import { layersOf, viewsOf } from './views';

/** More to look for would take too long, and more bytes that a text decodes to. */
const MOST_PATTERN_BYTES = 256 * 1024;
const MOST_WORK_PER_BYTE = 64;
const LEAST_WORK = 16 * 1024;
const SPACE = 0x20;
/** Set in the number of a run that is masked by itself. */
const PAIR = 2 ** 20;

/** Letters of ASCII in lower case; spaces, line breaks and the plus sign of forms as one. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x41 && byte <= 0x5a) return byte + 0x20;
  return byte === 0x2b || (byte >= 0x09 && byte <= 0x0d) ? SPACE : byte;
});

const fold = (bytes: Uint8Array) => bytes.map((byte) => FOLDED[byte] ?? byte);
const isWord = (byte: number | undefined) =>
  byte !== undefined && ((byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7a));

/** The bytes that a text may come as: in UTF-8 with each layer of its own escapes, in both cases of letters outside of ASCII, and in Latin-1. */
function bytesOf(text: string): Uint8Array[] {
  const isLatin = /^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(text);
  const cases = /^[\0-\x7f]*$/.test(text) ? [text] : [text, text.toLowerCase(), text.toUpperCase()];
  const utf8 = cases.flatMap((each) => layersOf(toView(each)).map(({ bytes }) => bytes));
  return [...utf8, ...(isLatin ? [new Uint8Array(Buffer.from(text, 'latin1'))] : [])];
}

/**
 * Masks secrets in texts that repeat them, however they are encoded: every run of 8 bytes of a credential is masked in every view of a text
 * (`views.ts`). The index holds the runs themselves, so that the work is linear in the secrets and in the text, whatever they contain.
 */
export class Masker {
  private readonly grams = new Grams();
  /** The numbers of the runs that are masked by themselves. */
  private readonly alone = new Set<number>();
  /** Wider runs, by width: the numbers of their first and last 8 bytes. */
  private readonly pairs = new Map<number, Set<number>>();
  private readonly short = new Grams();
  private readonly shortLengths = new Set<number>();
  /** What a text may end with that was cut within a secret. */
  private readonly heads = new Set<string>();
  private patternBytes = 0;
  /** The number of bytes that were looked at so far. */
  work = 0;

  constructor(secrets: Secret[]) {
    const parts = new Map<string, number>();
    for (const { text, width } of secrets.flatMap((secret) => partsOf(secret))) {
      const known = parts.get(text) ?? Number.POSITIVE_INFINITY;
      if (text.trim().length >= SHORTEST) parts.set(text, Math.min(width, known));
    }
    for (const [text, width] of parts) {
      for (const bytes of bytesOf(text.toWellFormed())) this.add(fold(bytes), width);
    }
  }

  /** Whether the secrets are too large to be looked for: then nothing can be masked. */
  get isTooLarge(): boolean {
    return this.patternBytes > MOST_PATTERN_BYTES;
  }

  private add(bytes: Uint8Array, most: number): void {
    const { length } = bytes;
    this.patternBytes += length;
    if (this.isTooLarge || length < SHORTEST) return;
    for (let head = SHORTEST; head < Math.min(length, most); head += 1) {
      this.heads.add(Buffer.from(bytes.buffer, bytes.byteOffset, head).toString('latin1'));
    }
    if (length < GRAM) {
      this.short.add(quad(bytes, 0), restOf(bytes, 0, length));
      this.shortLengths.add(length);
      return;
    }
    const width = Math.min(most, length);
    for (let at = 0; at + width <= length; at += 1) this.addRun(bytes, at, width, most);
  }

  private addRun(bytes: Uint8Array, at: number, width: number, most: number): void {
    const first = bytes[at] ?? 0;
    const isUniform = bytes.subarray(at, at + width).every((byte) => byte === first);
    // A line of dashes in a request body is no secret, and neither is an indentation.
    if (isUniform && (first === SPACE || most > GRAM)) return;
    const start = this.grams.add(quad(bytes, at), quad(bytes, at + 4));
    if (width === GRAM) {
      this.alone.add(start);
      return;
    }
    const end = this.grams.add(quad(bytes, at + width - GRAM), quad(bytes, at + width - 4));
    const pairs = this.pairs.get(width) ?? new Set();
    this.pairs.set(width, pairs.add(start * PAIR + end));
  }

  /**
   * A text without the secrets. Null where that cannot be promised: the secrets are too large, or the text holds too many encodings.
   * @param isCut whether the text may end within a secret, of which the start is masked then
   */
  mask(text: string, isCut = false): string | null {
    if (this.isTooLarge) return null;
    if (text.length < SHORTEST || this.patternBytes === 0) return text;
    // How often each position is within something to mask: what begins there less what ends there.
    const changes = new Int32Array(text.length + 1);
    const [, before = text, cut = ''] = /^(.*)(…"?)$/s.exec(text) ?? [];
    const most = this.work + LEAST_WORK + MOST_WORK_PER_BYTE * text.length;
    for (const view of viewsOf(before)) {
      this.work += view.view.bytes.length;
      if (this.work > most) return null;
      this.scan(view.view, view.isText, changes);
      if (isCut || cut !== '') this.scanEnd(view.view, changes);
    }
    return masked(text, changes);
  }

  private scan({ bytes: raw, from, to }: View, isText: boolean, changes: Int32Array): void {
    const bytes = fold(raw);
    const numbers = new Uint32Array(Math.max(0, bytes.length - GRAM + 1));
    const mark = (at: number, length: number) => {
      changes[from[at] ?? 0] = (changes[from[at] ?? 0] ?? 0) + 1;
      const end = to[at + length - 1] ?? 0;
      changes[end] = (changes[end] ?? 0) - 1;
    };
    for (let at = 0; at < numbers.length; at += 1) {
      const id = this.grams.find(quad(bytes, at), quad(bytes, at + 4));
      numbers[at] = id;
      if (id !== 0 && this.alone.has(id)) mark(at, GRAM);
    }
    for (const [width, pairs] of this.pairs) {
      for (let at = 0; at + width <= bytes.length; at += 1) {
        const [start = 0, end = 0] = [numbers[at], numbers[at + width - GRAM]];
        if (start !== 0 && end !== 0 && pairs.has(start * PAIR + end)) mark(at, width);
      }
    }
    if (!isText) return;
    for (const length of this.shortLengths) {
      for (let at = 0; at + length <= bytes.length; at += 1) {
        if (isWord(bytes[at - 1]) || isWord(bytes[at + length])) continue;
        if (this.short.find(quad(bytes, at), restOf(bytes, at, length)) !== 0) mark(at, length);
      }
    }
  }

  /** Marks the longest start of a secret that a view ends with. What is longer than the heads is found anyway. */
  private scanEnd(view: View, changes: Int32Array): void {
    const end = view.bytes.length;
    const tail = binaryOf({ ...view, bytes: fold(view.bytes.subarray(Math.max(0, end - 2 * GRAM))) });
    for (let length = tail.length; length >= SHORTEST; length -= 1) {
      if (!this.heads.has(tail.slice(-length))) continue;
      const start = view.from[end - length] ?? 0;
      changes[start] = (changes[start] ?? 0) + 1;
      changes[changes.length - 1] = (changes[changes.length - 1] ?? 0) - 1;
      return;
    }
  }

  /** The same of every text within a value; a text that cannot be masked becomes the mask. */
  maskAll<T>(value: T): T {
    if (typeof value === 'string') return (this.mask(value) ?? MASK) as T;
    if (Array.isArray(value)) return value.map((each: unknown) => this.maskAll(each)) as T;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.maskAll(each)])) as T;
  }
}

/** A text with one mask for each part where the sum of the changes is positive. */
function masked(text: string, changes: Int32Array): string {
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  let rest = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const before = depth;
    depth += changes[at] ?? 0;
    if (before <= 0 && depth > 0) start = at;
    if (before <= 0 || depth > 0) continue;
    // Spaces around a secret stay: words that follow each other are not joined.
    const secret = text.slice(start, at);
    pieces.push(text.slice(rest, at - secret.trimStart().length), MASK);
    rest = start + secret.trimEnd().length;
  }
  return pieces.join('') + text.slice(rest);
}
