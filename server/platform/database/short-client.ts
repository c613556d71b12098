import type pg from 'pg';
import { applicationName } from './application-name';
import { DatabaseClient } from './database-client';

export type ShortClient = pg.Client;

const WITHIN_MS = 10_000;

/** Creates a client for a few statements outside of the pool, not connected yet. It waits at most 10 s for a connection and for each statement. */
export function shortClient(connectionString: string): pg.Client {
  return new DatabaseClient({
    connectionString,
    application_name: applicationName,
    connectionTimeoutMillis: WITHIN_MS,
    query_timeout: WITHIN_MS,
  });
}

/** Runs `work` with a connection of its own, and closes it. */
export async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = shortClient(connectionString);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
