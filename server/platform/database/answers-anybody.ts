import pg from 'pg';

const ASK_WITHIN_MS = 2_000;
const TRIES = 2;
/** The driver's words for a connection that was not opened in time. */
const NOT_IN_TIME = 'timeout expired';

/**
 * Whether the database answers a new connection, be it with a refusal. It is asked twice: the first time, this process may
 * have stood still itself.
 *
 * @param config how to connect
 * @returns false after four seconds of silence
 */
export async function answersAnybody(config: pg.ClientConfig): Promise<boolean> {
  for (let left = TRIES; left > 0; left -= 1) {
    const asking = new pg.Client({ ...config, connectionTimeoutMillis: ASK_WITHIN_MS });
    // The connection is of no more use, whatever becomes of it.
    asking.on('error', () => undefined);
    try {
      await asking.connect();
      return true;
    } catch (error) {
      if (!(error instanceof Error && error.message === NOT_IN_TIME)) return true;
    } finally {
      void asking.end().catch(() => undefined);
    }
  }
  return false;
}
