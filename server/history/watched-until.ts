/** How long a check speaks for the time after it. */
export interface Watch {
  watchedForMs: number;
  /** When that was changed last, and what it was for checks before; null where it never was. */
  watchChanged: { at: Date; formerMs: number } | null;
}

/**
 * Until when a check speaks for the time after it. A change makes no other past: a check from before goes by what held
 * when it was made, though no longer than one from the moment of the change would.
 */
export function watchedUntil({ watchedForMs, watchChanged }: Watch, checkedAt: Date): Date {
  const began = checkedAt.getTime();
  if (!watchChanged || checkedAt >= watchChanged.at) return new Date(began + watchedForMs);
  return new Date(Math.min(began + watchChanged.formerMs, watchChanged.at.getTime() + watchedForMs));
}
