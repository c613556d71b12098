import { randomInt } from 'node:crypto';
import pg from 'pg';
import { OwnError } from '../own-error';
import { withClient } from './short-client';

/** A pooler in between does not keep sessions; one displayable line. */
export class SessionError extends OwnError {
  static override readonly kind: string = 'SessionError';
}

const WITHIN_MS = 10_000;

/** Returns the first row of a statement's result; an empty object if there is none. */
async function ask<Row extends object>(client: pg.Client, text: string, values: unknown[] = []): Promise<Row> {
  const { rows } = await client.query<Row>(text, values);
  return rows[0] ?? ({} as Row);
}

const pidOf = async (client: pg.Client) => (await ask<{ pid: number }>(client, 'select pg_backend_pid() as pid')).pid;

/** Resolves to whether a notification on `channel` arrives within 10 s. */
function hears(client: pg.Client, channel: string): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), WITHIN_MS);
    client.on('notification', (notification) => {
      if (notification.channel !== channel) return;
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/**
 * Returns a session property that a pooler does not keep, or null. While the other connection is in a transaction, a pooler in transaction mode
 * cannot give this one the same backend.
 */
async function findLoss(ours: pg.Client, other: pg.Client): Promise<string | null> {
  const key = randomInt(2 ** 47);
  await ours.query(`set time zone 'UTC'`);
  const before = await pidOf(ours);
  await ours.query('select pg_advisory_lock($1::bigint)', [key]);
  await ours.query({ name: 'upwatch_session', text: 'select 1 as one' });
  await other.query('begin');
  const theirs = await pidOf(other);
  const { taken } = await ask<{ taken: boolean }>(other, 'select pg_try_advisory_xact_lock($1::bigint) as taken', [
    key,
  ]);
  const after = await pidOf(ours);
  const { zone } = await ask<{ zone: string }>(ours, `select current_setting('TimeZone') as zone`);
  const { let_go: letGo } = await ask<{ let_go: boolean }>(ours, 'select pg_advisory_unlock($1::bigint) as let_go', [
    key,
  ]);
  await other.query('rollback');
  if (taken || !letGo) return 'advisory locks are not kept';
  if (before !== after || before === theirs) return 'connections are shared';
  if (zone !== 'UTC') return 'the time zone is not kept';
  const kept = await ours.query({ name: 'upwatch_session', text: 'select 1 as one' }).catch(() => null);
  if (kept === null) return 'prepared statements are not kept';
  const channel = `upwatch_session_${key}`;
  const heard = hears(ours, channel);
  await ours.query(`listen ${channel}`);
  await other.query(`notify ${channel}`);
  return (await heard) ? null : 'LISTEN does not work';
}

/** The SQLSTATEs of a pooler's errors for unsupported features (protocol violation), and for statements that another session prepared. */
const POOLER_CODES = ['08P01', '26000', '42P05'];

/** Returns a pooler's error as a lost property. Throws other errors again, because they are unrelated to sessions. */
function toLoss(error: unknown): string {
  if (error instanceof pg.DatabaseError && POOLER_CODES.includes(error.code ?? '')) return error.message;
  throw error;
}

/**
 * Verifies that a connection to this database is one PostgreSQL session from end to end.
 * @throws SessionError if a pooler switches sessions
 */
export async function assertSessions(databaseUrl: string): Promise<void> {
  const loss = await withClient(databaseUrl, (ours) =>
    withClient(databaseUrl, (other) => findLoss(ours, other).catch(toLoss)),
  );
  if (loss === null) return;
  throw new SessionError(
    `DATABASE_URL leads to a connection pooler that keeps no sessions (${loss}): connect to PostgreSQL itself, or put the pooler in session mode (PgBouncer: pool_mode = session).`,
  );
}
