/** Who asks for a name on behalf of a team, until `signal`, and minds no wait. */
export const asker = (signal = new AbortController().signal, teamId = 'team') => ({
  teamId,
  by: { signal, waitForUs: <T>(wait: () => Promise<T>) => wait() },
});
