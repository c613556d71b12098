import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a database that can be cut: nothing is answered or refused then, as behind a broken network. */
export interface DatabaseProxy {
  url: string;
  cut(): void;
  /** Data that was sent in between arrives. */
  mend(): void;
  close(): Promise<void>;
}

/** @param databaseUrl the database's URL, by default this test file's */
export async function startDatabaseProxy(databaseUrl = process.env.DATABASE_URL ?? ''): Promise<DatabaseProxy> {
  const url = new URL(databaseUrl);
  const { hostname: host, port } = url;
  const pairs = new Set<[Socket, Socket]>();
  let isCut = false;
  const server = createServer((client) => {
    const database = connect(Number(port || 5432), host);
    const pair: [Socket, Socket] = [client, database];
    pairs.add(pair);
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      from.on('data', (chunk) => void to.write(chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
      if (isCut) from.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cut() {
      isCut = true;
      for (const socket of [...pairs].flat()) socket.pause();
    },
    mend() {
      isCut = false;
      for (const socket of [...pairs].flat()) socket.resume();
    },
    async close() {
      for (const socket of [...pairs].flat()) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
