import type { Socket } from 'node:net';
import type pg from 'pg';
import { log } from '../log';
import { ANNOUNCE } from './compatibility';
import { DatabaseClient } from './database-client';
import { sleepAwake } from './sleep-awake';

/** After this long without a response, the statement's state is read from the database. */
const SILENT_MS = 15_000;
/** A response that is already on its way arrives within this time. */
const ARRIVES_WITHIN_MS = 1_000;
const ASK_WITHIN_MS = 10_000;

/** Fields of the driver that its types omit. */
interface Internals {
  readyForQuery: boolean;
  connection: { stream: Socket };
}

function internalsOf(client: pg.ClientBase): Internals {
  return client as unknown as Internals;
}

/**
 * Whether the database still works on a statement of the session `pid`, by a query on another connection; true if that query fails. With
 * `track_activities` off the state is "disabled", so that only the wait event decides.
 */
async function isAtWork(pid: number, config: pg.ClientConfig): Promise<boolean> {
  const asking = new DatabaseClient({ ...config, query_timeout: ASK_WITHIN_MS });
  asking.on('error', (error) => log.debug({ err: error }, 'A database connection could not be asked after'));
  try {
    await asking.connect();
    const { rows } = await asking.query(
      `select 1 from pg_stat_activity
       where pid = $1 and state in ('active', 'disabled') and wait_event_type is distinct from 'Client'`,
      [pid],
    );
    return rows.length > 0;
  } catch {
    return true;
  } finally {
    await asking.end().catch(() => undefined);
  }
}

/**
 * Prepares and watches a new connection. Sets the time zone to UTC, because the driver adapter reads and writes `timestamptz` as UTC, and announces
 * the compatibility version of this process, without which it may claim nothing. Uses a statement, because a pooler may drop or reject startup
 * options.
 *
 * Closes the connection if a statement waits for a response that will not come, because the machine is gone or a firewall dropped the connection
 * silently: the system would wait 15 min, and checks with it. A statement that the database works on may take any time.
 * @param config of connections to the same database, for the lookup
 */
export async function watchConnection(
  client: pg.ClientBase,
  config: pg.ClientConfig,
  silentMs = SILENT_MS,
): Promise<void> {
  const internals = internalsOf(client);
  const { stream } = internals.connection;
  const isWaiting = () => !stream.destroyed && !internals.readyForQuery;
  let pid: number | null = null;
  const probe = async () => {
    if (!isWaiting() || (pid !== null && (await isAtWork(pid, config)))) return;
    const { bytesRead } = stream;
    await sleepAwake(ARRIVES_WITHIN_MS);
    if (!isWaiting() || stream.bytesRead !== bytesRead) return;
    log.warn('The database knows nothing of a statement that waits for it; its connection is given up');
    stream.destroy();
  };
  stream.on('timeout', () => {
    void probe().finally(() => {
      if (!stream.destroyed) stream.setTimeout(silentMs);
    });
  });
  stream.setTimeout(silentMs);
  // The driver's own process ID differs behind a pooler.
  const { rows } = await client.query<{ pid: number }>(
    `select pg_backend_pid() as pid, set_config('TimeZone', 'UTC', false), ${ANNOUNCE}`,
  );
  pid = rows[0]?.pid ?? null;
}
