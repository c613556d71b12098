import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { DatabaseClient } from '@/server/platform/database/database-client';

/** A message of PostgreSQL's protocol 3.0: its type, its length and its fields. */
function messageOf(type: string, ...fields: (number | string)[]): Buffer {
  const body = Buffer.concat(fields.map((field) => (typeof field === 'string' ? Buffer.from(field) : int32(field))));
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

const shutDown = messageOf('E', 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');

it('survives a server that ends a connection in the moment in which it is ready', async () => {
  // AuthenticationOk, ReadyForQuery and the error arrive together, so that nobody uses the connection yet.
  const answer = Buffer.concat([messageOf('R', 0), messageOf('Z', 'I'), shutDown]);
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const pool = new pg.Pool({
    Client: DatabaseClient,
    connectionString: `postgresql://upwatch@127.0.0.1:${port}/upwatch`,
  });
  pool.on('error', () => undefined);
  onTestFinished(() => pool.end());
  await expect(pool.query('select 1')).rejects.toThrow();
});
