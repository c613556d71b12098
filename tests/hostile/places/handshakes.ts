import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { writeCostlyChain } from '@/tests/support/x509';
import { callOf, type Place } from './place';

const MONITORS = 60;
/** Of 29 KiB, where 32 KiB are accepted: verifying them takes about 0.2 s of CPU time. */
const ISSUERS = 22;

/** Targets whose certificates are costly to verify: of checks, on the worker's thread, and of messages, on that of the web process. */
export const handshakes: Place = {
  name: 'TLS handshakes with targets',
  async prepare(team) {
    const server = tls.createServer(writeCostlyChain(ISSUERS), (socket) => {
      socket.on('error', () => undefined).end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
    });
    server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.unref();
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const monitor = { type: 'http', intervalSeconds: 5, config: { url, verifyTls: false } };
    for (let count = 0; count < MONITORS; count += 1) {
      await team.call('POST', '/api/v1/monitors', { ...monitor, name: `Costly ${count}` });
    }
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

/** The most iterations that are accepted, which take about 30 ms of a core. */
const ITERATIONS = 100_000;

/** Servers of PostgreSQL that ask for as many iterations of SCRAM as they may. */
export const logins: Place = {
  name: 'Logins to targets',
  async prepare(team) {
    const server = net.createServer((socket) => {
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
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.unref();
    const { port } = server.address() as AddressInfo;
    const config = { host: '127.0.0.1', port, tls: false, username: 'a', password: 'b', query: 'SELECT 1' };
    const monitor = { type: 'postgresql', intervalSeconds: 5, config };
    for (let count = 0; count < MONITORS; count += 1) {
      await team.call('POST', '/api/v1/monitors', { ...monitor, name: `Login ${count}` });
    }
    return [callOf(team, 'POST', '/api/v1/monitors/test', { type: 'postgresql', config })];
  },
};
