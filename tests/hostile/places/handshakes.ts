import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
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
