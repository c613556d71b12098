import pg from 'pg';

/** The URL of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

/**
 * Creates a database, empty or as a copy of `template`, which must have no connections. Copies files, because writing each page to the WAL takes
 * several times as long.
 */
export function createDatabase(url: string, name: string, template = 'template0'): Promise<void> {
  return run(url, `create database "${name}" template "${template}" strategy file_copy`);
}

/** Drops a database, closing its connections. */
export function dropDatabase(url: string, name: string): Promise<void> {
  return run(url, `drop database if exists "${name}" with (force)`);
}

/** Runs SQL on a connection of its own. */
export async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
