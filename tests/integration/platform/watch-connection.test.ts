import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { watchConnection } from '@/server/platform/database/watch-connection';

const SILENT_MS = 200;
const database = new URL(process.env.DATABASE_URL ?? '');

/** A proxy to the database that can drop packets without either end noticing. */
let forgotten: Set<Socket>;
let open: Set<Socket>;
let losesAll: boolean;
let line: ReturnType<typeof createServer>;
let config: { connectionString: string; connectionTimeoutMillis: number };

function pass(from: Socket, to: Socket): void {
  open.add(from);
  from.on('error', () => undefined);
  from.on('data', (part) => losesAll || forgotten.has(from) || to.write(part));
  from.on('close', () => forgotten.has(from) || to.destroy());
}

beforeEach(async () => {
  forgotten = new Set();
  open = new Set();
  losesAll = false;
  line = createServer((socket) => {
    const onward = connect({ host: database.hostname, port: Number(database.port) });
    pass(socket, onward);
    pass(onward, socket);
  }).listen(0, '127.0.0.1');
  await once(line, 'listening');
  const through = new URL(database);
  through.host = `127.0.0.1:${(line.address() as AddressInfo).port}`;
  config = { connectionString: through.href, connectionTimeoutMillis: 1_000 };
});
afterEach(async () => {
  for (const socket of open) socket.destroy();
  line.close();
  await once(line, 'close');
});

/** A watched connection through the proxy, and its end. */
async function watched() {
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  await client.connect();
  await watchConnection(client, config, SILENT_MS);
  return client;
}
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'an answer',
    (error: Error) => error.message,
  );

it('keeps a connection while the database works on its statement', async () => {
  const client = await watched();
  const { rows } = await client.query(`select 'slept' as text, pg_sleep(${(SILENT_MS * 12) / 1_000})`);
  expect(rows[0]).toMatchObject({ text: 'slept' });
  await client.end();
});

it('keeps a connection if the database does not track activity', async () => {
  const client = await watched();
  await client.query('set track_activities = off');
  const { rows } = await client.query(`select 'slept' as text, pg_sleep(${(SILENT_MS * 12) / 1_000})`);
  expect(rows[0]).toMatchObject({ text: 'slept' });
  await client.end();
});

it('closes a connection that was lost on the way', async () => {
  const client = await watched();
  forgotten = new Set(open);
  expect(await failureOf(client.query('select 1'))).toBe('Connection terminated unexpectedly');
});

it('waits until the database can be queried before closing', async () => {
  const client = await watched();
  losesAll = true;
  let failure: string | null = null;
  const failing = failureOf(client.query('select 1')).then((message) => {
    failure = message;
  });
  await new Promise((resolve) => setTimeout(resolve, SILENT_MS * 10));
  expect(failure).toBeNull();
  forgotten = new Set(open);
  losesAll = false;
  await failing;
  expect(failure).toBe('Connection terminated unexpectedly');
});

it('keeps a connection that is only idle', async () => {
  const client = await watched();
  await new Promise((resolve) => setTimeout(resolve, SILENT_MS * 8));
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await client.end();
});

it('sets the time zone to UTC if the database has another', async () => {
  const first = await watched();
  await first.query(`alter database "${database.pathname.slice(1)}" set timezone to 'Europe/Berlin'`);
  await first.end();
  const client = await watched();
  const { rows } = await client.query(`show timezone`);
  expect(rows).toEqual([{ TimeZone: 'UTC' }]);
  await client.end();
});
