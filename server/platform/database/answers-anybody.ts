import type pg from 'pg';
import { DatabaseClient } from './database-client';
import { sleepAwake } from './sleep-awake';

const ASK_WITHIN_MS = 2_000;
const TRIES = 2;

/**
 * Whether the database answers a new connection, even with an error. Tries twice, because a packet may be lost.
 * @param config how to connect
 * @returns false after 4 s of silence, not counting delays of this process
 */
export async function answersAnybody(config: pg.ClientConfig): Promise<boolean> {
  for (let left = TRIES; left > 0; left -= 1) {
    const asking = new DatabaseClient({ ...config, connectionTimeoutMillis: 0 });
    const answered = asking.connect().then(
      () => true,
      () => true,
    );
    const isAnswered = await Promise.race([answered, sleepAwake(ASK_WITHIN_MS).then(() => false)]);
    if (isAnswered) void asking.end().catch(() => undefined);
    else (asking as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy();
    if (isAnswered) return true;
  }
  return false;
}
