/** How long a check is valid. */
export interface Watch {
  watchedForMs: number;
  /** The time of the last change of the validity, and its former value; null without a change. */
  watchChanged: { at: Date; formerMs: number } | null;
}

/**
 * Until when a check is valid. An edit does not change the past: an earlier check keeps its former validity, but no longer than a check at the time
 * of the edit would have.
 */
export function watchedUntil({ watchedForMs, watchChanged }: Watch, checkedAt: Date): Date {
  const began = checkedAt.getTime();
  if (!watchChanged || checkedAt >= watchChanged.at) return new Date(began + watchedForMs);
  return new Date(Math.min(began + watchChanged.formerMs, watchChanged.at.getTime() + watchedForMs));
}
