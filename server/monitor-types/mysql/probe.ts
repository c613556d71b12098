import { Attempt, type ObserveOptions, TargetFailure } from '@/server/monitor-types/probing/attempt';
import { dial, startTls } from '@/server/monitor-types/probing/dial';
import type { Observation } from '@/server/monitor-types/probing/observation';
import { loginTarget } from '../config/login';
import type { QueryResult } from '../sql/query';
import type { MysqlConfig } from './definition';
import { MysqlSession } from './session';

/** The maximum size of all packets: descriptions of columns, and one row. */
const MOST_BYTES = 256 * 1024;

/**
 * Returns the statement that limits results to one row and lets the server end the query at the check's timeout. MySQL and MariaDB name that limit
 * differently.
 */
function limitsFor(version: string, timeoutMs: number): string {
  const limit = /mariadb/i.test(version)
    ? `max_statement_time = ${timeoutMs / 1000}`
    : `max_execution_time = ${timeoutMs}`;
  return `SET SESSION sql_select_limit = 1, ${limit}`;
}

async function converse(config: MysqlConfig, attempt: Attempt): Promise<QueryResult> {
  const { host, tls, verifyTls, username, password = '', database, query, timeoutMs } = config;
  // The connection begins without TLS.
  const session = new MysqlSession(await dial(loginTarget({ ...config, tls: false }), attempt), attempt);
  attempt.budget.answerOf(MOST_BYTES);
  const login = { username, password, database, tls };
  let from = attempt.now();
  const greeting = await session.greeting();
  from = attempt.spent('firstByteMs', from);
  if (tls) {
    if (!greeting.offersTls) throw new TargetFailure('The server does not offer TLS');
    await session.secure(login, (socket) => startTls(socket, host, attempt, { verify: verifyTls }));
    from = attempt.now();
  }
  await session.logIn(greeting, login);
  // A proxy or an old server may not know the limits, which only protect the server.
  await session.run(limitsFor(greeting.version, timeoutMs)).catch(ignoreRefusal);
  // Unlike a read-only transaction, it holds also for statements that commit by themselves, such as CREATE TABLE.
  await session.run('SET SESSION TRANSACTION READ ONLY');
  const exchange = attempt.exchange(query);
  const result = await session.query(query);
  exchange.body = result.value === undefined ? [] : [result.value ?? 'NULL'];
  attempt.spent('downloadMs', from);
  session.end();
  return result;
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof TargetFailure)) throw error;
}

/**
 * Logs in and runs one query in a read-only transaction, which ends with the connection. `evaluate` compares the first value. All within `timeoutMs`.
 * Rejects only if the signal aborts.
 */
export async function observeMysql(config: MysqlConfig, options: ObserveOptions): Promise<Observation<QueryResult>> {
  const attempt = new Attempt(config.timeoutMs, options);
  return attempt.observe(async () => ({ evidence: await converse(config, attempt) }));
}
