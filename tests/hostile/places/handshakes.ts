import { once } from 'node:events';
import net, { type AddressInfo, type Server } from 'node:net';
import tls from 'node:tls';
import { costlyBrotli } from '@/tests/support/costly-brotli';
import { writeCostlyChain } from '@/tests/support/x509';
import { callOf, type Place } from './place';
import type { Team } from './team';

const MONITORS = 60;
/** Of 29 KiB, where 32 KiB are accepted: verifying them takes about 0.2 s of CPU time. */
const ISSUERS = 22;

/** Starts a server of this process that ends with it. @returns its port */
async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return (server.address() as AddressInfo).port;
}

/** Many monitors of a target that are checked as often as possible; at once, because adding one takes long while others are checked. */
async function addMonitors(team: Team, monitor: object): Promise<void> {
  const ids: string[] = [];
  for (let count = 0; count < MONITORS; count += 1) {
    const costly = { ...monitor, name: `Costly ${count}`, intervalSeconds: 5, isActive: false };
    const added = await team.call<{ monitor: { id: string } }>('POST', '/api/v1/monitors', costly);
    ids.push(added.monitor.id);
  }
  await team.call('POST', '/api/v1/monitors/bulk', { action: 'resume', ids });
}

/** Targets whose certificates are costly to verify: of checks, on the worker's thread, and of messages, on that of the web process. */
export const handshakes: Place = {
  name: 'TLS handshakes with targets',
  async prepare(team) {
    const server = tls.createServer(writeCostlyChain(ISSUERS), (socket) => {
      socket.on('error', () => undefined).end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
    });
    server.on('tlsClientError', () => undefined);
    const url = `https://127.0.0.1:${await listen(server)}/`;
    await addMonitors(team, { type: 'http', config: { url, verifyTls: false } });
    return [callOf(team, 'POST', '/api/v1/channels/test', { type: 'webhook', config: { url } })];
  },
};

/** A message of a PostgreSQL server that asks for authentication. */
function askFor(code: number, data: string): Buffer {
  const body = Buffer.concat([Buffer.from([0, 0, 0, code]), Buffer.from(data)]);
  const head = Buffer.alloc(5, 'R');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** The most iterations that are accepted. */
const ITERATIONS = 100_000;

/** A server of PostgreSQL whose logins take 30 ms of a core each. */
const logins = () =>
  net.createServer((socket) => {
    socket
      .on('error', () => undefined)
      .once('data', () => {
        socket.write(askFor(10, 'SCRAM-SHA-256\0\0'));
        socket.once('data', (data) => {
          const [, nonce = ''] = /r=([^,]*)/.exec(data.toString('latin1')) ?? [];
          socket.write(askFor(11, `r=${nonce}x,s=c2FsdA==,i=${ITERATIONS}`));
          socket.once('data', () => socket.end());
        });
      });
  });

/** A web server whose responses take 2 s of a core each to decompress. */
function bodies(): Server {
  const body = costlyBrotli(1024 * 1024 - 1024);
  const head = `HTTP/1.1 200 OK\r\ncontent-encoding: br\r\ncontent-length: ${body.length}\r\n\r\n`;
  return net.createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end(Buffer.concat([Buffer.from(head), body])));
  });
}

/** Targets whose answers are costly to compute with, in other threads of the worker and of the web process. */
export const computations: Place = {
  name: 'Logins to targets and compressed responses',
  async prepare(team) {
    const [login, body] = [await listen(logins()), await listen(bodies())];
    const access = { host: '127.0.0.1', port: login, tls: false, username: 'a', password: 'b', query: 'SELECT 1' };
    const monitor = { type: 'postgresql', config: access };
    await addMonitors(team, monitor);
    await addMonitors(team, { type: 'http', config: { url: `http://127.0.0.1:${body}/` } });
    return [callOf(team, 'POST', '/api/v1/monitors/test', monitor)];
  },
};
