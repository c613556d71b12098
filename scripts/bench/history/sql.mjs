// @ts-check
import pg from 'pg';

/**
 * Runs work on a connection of its own, in UTC.
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

/** What a monitor of the bench is configured with; a text for SQL. */
export const CONFIG = JSON.stringify({ url: 'https://shop.example/', method: 'GET', timeoutMs: 10_000 });

/** A latency as servers have it: half of them around 120 ms, the slowest of a thousand ten times as slow. SQL over `random()`. */
export const LATENCY = `(120 * exp(0.5 * sqrt(-2 * ln(1 - random())) * cos(6.2832 * random())))::int`;
