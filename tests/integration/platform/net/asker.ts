/** The asker of a lookup for a team, until `signal`. Time spent waiting for shared slots counts as usual. */
export const asker = (signal = new AbortController().signal, teamId = 'team') => ({
  teamId,
  by: { signal, waitForUs: <T>(wait: () => Promise<T>) => wait() },
});
