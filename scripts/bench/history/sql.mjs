// @ts-check
import pg from 'pg';

/**
 * Runs work on its own connection, in UTC.
 * @template T
 * @param {string} url
 * @param {(client: pg.Client) => Promise<T>} work
 */
export async function onConnection(url, work) {
  const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The config of the bench's monitors, as text for SQL. */
export const CONFIG = JSON.stringify({ url: 'https://shop.example/', method: 'GET', timeoutMs: 10_000 });

/** A realistic latency distribution: a median of 120 ms, and a p99.9 ten times as high. SQL over `random()`. */
export const LATENCY = `(120 * exp(0.5 * sqrt(-2 * ln(1 - random())) * cos(6.2832 * random())))::int`;
