import { MASK } from '../schema';
import type { Secret } from './parts';
import { SecretIndex } from './secret-index';
import { viewsOf } from './views';

/** The maximum number of bytes of a text's views, as a multiple of its length. A text with more is not masked. */
const MOST_WORK_PER_BYTE = 48;
const LEAST_WORK = 16 * 1024;
/** Shorter texts cannot contain a pattern. */
const SHORTEST_TEXT = 4;

/** Masks secrets in texts that repeat them in any encoding. Searches every decoded view of a text (`views.ts`) with one index. */
export class Masker {
  private readonly index: SecretIndex;
  /** The number of bytes of all views so far. */
  work = 0;

  /** @param mostWork the maximum number of bytes of all views; once it is exceeded, `mask` returns null */
  constructor(
    secrets: Secret[] | SecretIndex,
    private readonly mostWork = Number.POSITIVE_INFINITY,
  ) {
    this.index = secrets instanceof SecretIndex ? secrets : new SecretIndex(secrets);
  }

  get isExhausted(): boolean {
    return this.work > this.mostWork;
  }

  /**
   * Returns a text with its secrets masked. Null if that cannot be guaranteed: the secrets are too large, or the text contains too many encodings.
   * @param isCut whether the text may end within a secret, so that the start of a secret at its end is masked too
   */
  mask(text: string, isCut = false): string | null {
    const { index } = this;
    if (index.isTooLarge || this.isExhausted) return null;
    if (text.length < SHORTEST_TEXT || index.patternBytes === 0) return text;
    // For each position, the number of masked ranges that begin there minus those that end there.
    const changes = new Int32Array(text.length + 1);
    const mark = (from: number, to: number) => {
      changes[from] = (changes[from] ?? 0) + 1;
      changes[to] = (changes[to] ?? 0) - 1;
    };
    const [, before = text, cut = ''] = /^(.*)(…"?)$/s.exec(text) ?? [];
    const most = Math.min(this.mostWork, this.work + LEAST_WORK + MOST_WORK_PER_BYTE * text.length);
    for (const { view, isText } of viewsOf(before)) {
      this.work += view.bytes.length;
      if (this.work > most) return null;
      index.scan(view, isText, mark);
      if (isCut || cut !== '') index.scanEnd(view, text.length, mark);
    }
    return masked(text, changes);
  }
}

/**
 * Replaces each masked range of a text by one mask; overlapping and adjacent ranges get one together. Spaces at both ends of a range stay.
 * @param changes for each position, the number of ranges that begin there minus those that end there
 */
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
    // Keeps spaces at both ends of a secret, so that adjacent words are not joined.
    const secret = text.slice(start, at);
    pieces.push(text.slice(rest, at - secret.trimStart().length), MASK);
    rest = start + secret.trimEnd().length;
  }
  return rest === 0 && pieces.length === 0 ? text : pieces.join('') + text.slice(rest);
}
