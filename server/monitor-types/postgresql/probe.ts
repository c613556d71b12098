import type { Socket } from 'node:net';
import { Attempt, type ObserveOptions, TargetFailure } from '@/server/monitor-types/probing/attempt';
import { dial, startTls } from '@/server/monitor-types/probing/dial';
import type { Observation } from '@/server/monitor-types/probing/observation';
import { Reader } from '@/server/monitor-types/probing/reader';
import { loginTarget } from '../config/login';
import type { QueryResult } from '../sql/query';
import type { PostgresqlConfig } from './definition';
import { PostgresqlSession } from './session';

/** The maximum size of all messages: settings, notices, and one row. */
const MOST_BYTES = 256 * 1024;
/** The message SSLRequest: its length and its code. */
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Opens the connection, and upgrades it to TLS if the config says so, because PostgreSQL begins without TLS. */
async function connect(config: PostgresqlConfig, attempt: Attempt): Promise<Socket> {
  const { host, tls, verifyTls } = config;
  const socket = await dial(loginTarget({ ...config, tls: false }), attempt);
  attempt.budget.answerOf(MOST_BYTES);
  if (!tls) return socket;
  const reader = new Reader(socket);
  socket.write(TLS_REQUEST);
  const answer = (await reader.bytes(1)).toString('latin1');
  if (answer === 'N') throw new TargetFailure('The server does not offer TLS');
  if (answer !== 'S') throw new TargetFailure('Expected a reply of PostgreSQL to the request for TLS');
  // Plain text that follows could have been injected on the way.
  const plain = reader.release('The server sent plain text after its reply to the request for TLS');
  return startTls(plain, host, attempt, { verify: verifyTls });
}

async function converse(config: PostgresqlConfig, attempt: Attempt): Promise<QueryResult> {
  const { username, database = username, password, query, timeoutMs } = config;
  const session = new PostgresqlSession(await connect(config, attempt), attempt);
  const from = attempt.now();
  await session.logIn({ username, database, password });
  const read = attempt.spent('firstByteMs', from);
  await session.run(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${timeoutMs}`);
  const exchange = attempt.exchange(query);
  const result = await session.query(query);
  exchange.body = result.value === undefined ? [] : [result.value ?? 'NULL'];
  attempt.spent('downloadMs', read);
  session.end();
  return result;
}

/**
 * Logs in and runs one query in a read-only transaction, which ends with the connection. `evaluate` compares the first value. All within `timeoutMs`.
 * Rejects only if the signal aborts.
 */
export async function observePostgresql(
  config: PostgresqlConfig,
  options: ObserveOptions,
): Promise<Observation<QueryResult>> {
  const attempt = new Attempt(config.timeoutMs, options);
  return attempt.observe(async () => ({ evidence: await converse(config, attempt) }));
}
