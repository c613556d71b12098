/** How long checks are valid, in milliseconds after their start. */
export interface Watch {
  watchedForMs: number;
  /** The time of the last change of the validity, and its former value; null without a change. */
  watchChanged: { at: Date; formerMs: number } | null;
}

/**
 * Returns until when a check is valid. An edit does not change the past: an earlier check is valid for as long as before, but at most until a check
 * at the time of the edit would be.
 */
export function watchedUntil({ watchedForMs, watchChanged }: Watch, checkedAt: Date): Date {
  const began = checkedAt.getTime();
  if (!watchChanged || checkedAt >= watchChanged.at) return new Date(began + watchedForMs);
  return new Date(Math.min(began + watchChanged.formerMs, watchChanged.at.getTime() + watchedForMs));
}
