import pg from 'pg';

const ASK_WITHIN_MS = 2_000;
const TRIES = 2;
/** The driver's words for a connection that was not opened in time. */
const NOT_IN_TIME = 'timeout expired';

/**
 * Whether the database answers a new connection, even with a refusal. It is tried twice, because this process itself may
 * have stalled during the first attempt.
 *
 * @param config how to connect
 * @returns false after four seconds of silence
 */
export async function answersAnybody(config: pg.ClientConfig): Promise<boolean> {
  for (let left = TRIES; left > 0; left -= 1) {
    const asking = new pg.Client({ ...config, connectionTimeoutMillis: ASK_WITHIN_MS });
    // The connection is not used any further, so its errors do not matter.
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
