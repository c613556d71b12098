import { runBounded } from '../bounded/run-bounded';
import { LimitError } from '../bounded/task';
import { log } from '../log';
import { indexOf } from './known-indexes';
import { maskTask, type TextToMask } from './mask-task';
import { Masker } from './masker';
import type { Secret } from './parts';

/** Longer secrets are indexed in a bounded task only. Indexing shorter ones takes less than a millisecond, once. */
const SMALL_SECRETS = 8 * 1024;
/** The maximum work (`Masker.work`) on the caller's thread, less than a millisecond. A page of 16 KiB takes half of it. */
export const SMALL_WORK = 96 * 1024;

/**
 * Masks texts on this thread until the maximum work is reached. Returns null for a text that cannot be masked, and undefined for the remaining ones.
 */
function maskSmall(secrets: Secret[], texts: TextToMask[]): (string | null | undefined)[] {
  const size = secrets.reduce((sum, { value }) => sum + value.length, 0);
  if (size > SMALL_SECRETS) return texts.map(() => undefined);
  const masker = new Masker(indexOf(secrets), SMALL_WORK);
  return texts.map(({ text, isCut }) => {
    const clean = masker.mask(text, isCut);
    return masker.isExhausted ? undefined : clean;
  });
}

/**
 * Masks secrets in the texts of a check or a send: on the caller's thread up to a limit of work, the rest in a bounded task. Returns null for a text
 * that cannot be masked reliably, or if the task fails or exceeds its limits. Must not be called in a transaction, because it may wait for a thread.
 * @throws the signal's reason
 */
export async function maskApart(
  secrets: Secret[],
  texts: TextToMask[],
  { team, signal }: { team: string; signal?: AbortSignal | undefined },
): Promise<(string | null)[]> {
  if (secrets.length === 0 || texts.length === 0) return texts.map(({ text }) => text);
  const small = maskSmall(secrets, texts);
  const rest = texts.filter((_, index) => small[index] === undefined);
  if (rest.length === 0) return small.map((clean) => clean ?? null);
  const masked = await maskInTask(secrets, rest, team, signal);
  return small.map((clean) => (clean === undefined ? (masked.shift() ?? null) : clean));
}

/** Masks texts in a bounded task. Returns an empty list if that fails, and logs the error. */
async function maskInTask(
  secrets: Secret[],
  texts: TextToMask[],
  team: string,
  signal: AbortSignal | undefined,
): Promise<(string | null)[]> {
  try {
    // Copies only these fields, because callers' objects may contain values that cannot be cloned.
    const copies = texts.map(({ text, isCut = false }) => ({ text, isCut }));
    return await runBounded(maskTask, { secrets, texts: copies }, { team, signal });
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof LimitError)) log.error({ err: error }, 'Secrets could not be masked');
    return [];
  }
}
