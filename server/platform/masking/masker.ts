import { MASK } from './mask';
import type { Secret } from './parts';
import { SecretIndex } from './secret-index';
import { viewsOf } from './views';

/** A text that decodes to more bytes is not masked. */
const MOST_WORK_PER_BYTE = 48;
const LEAST_WORK = 16 * 1024;
/** Fewer characters hold nothing that is looked for. */
const SHORTEST_TEXT = 4;

/**
 * Masks secrets in texts that repeat them, however they are encoded: what an index finds is masked in every view of a text (`views.ts`).
 */
export class Masker {
  private readonly index: SecretIndex;
  /** The number of bytes of all views so far. */
  work = 0;

  /** @param mostWork the number of bytes of views after which nothing is masked any more: every further text is null */
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
   * A text without the secrets. Null where that cannot be promised: the secrets are too large, or the text holds too many encodings.
   * @param isCut whether the text may end within a secret, of which the start is masked then
   */
  mask(text: string, isCut = false): string | null {
    const { index } = this;
    if (index.isTooLarge || this.isExhausted) return null;
    if (text.length < SHORTEST_TEXT || index.patternBytes === 0) return text;
    // How often each position is within something to mask: what begins there less what ends there.
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
  return rest === 0 && pieces.length === 0 ? text : pieces.join('') + text.slice(rest);
}
