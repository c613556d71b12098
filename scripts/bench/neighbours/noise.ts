// The targets and receivers of the noisy team, in their own process. Prints its ports when all of them listen.
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { dnsServer } from '@/tests/support/servers/dns-server';
import { writeCertificate } from '@/tests/support/x509';

const BACKLOG = 4096;
const FLOOD_EVERY_MS = 20;
const DRIP_EVERY_MS = 50;

/** Ignores errors after a connection is broken. */
const quiet = <S extends Socket>(socket: S): S => socket.on('error', () => undefined);

/** Calls `work` periodically until the connection closes. */
function repeat(socket: Socket, everyMs: number, work: () => void): void {
  const timer = setInterval(work, everyMs);
  socket.once('close', () => clearInterval(timer));
}

const interim = Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000));
const slowBody = 'ab'.repeat(128 * 1024);

const servers: Record<string, Server> = {
  /** Accepts connections and never responds. */
  hang: createTcpServer((socket) => void quiet(socket).resume()),
  /** Endless interim responses. */
  interim: createTcpServer((socket) => {
    quiet(socket).once('data', () => repeat(socket, FLOOD_EVERY_MS, () => socket.write(interim)));
  }),
  /** A body of single bytes. */
  drip: createTcpServer((socket) => {
    quiet(socket).once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n');
      repeat(socket, DRIP_EVERY_MS, () => socket.write('a'));
    });
  }),
  /** A body on which slow patterns take long. */
  body: createHttpServer((_request, response) => void response.end(slowBody)),
  /** Webhooks that are never answered. */
  receiver: createHttpServer(() => undefined),
  /** A certificate with a NUL in its name and an expiry in month 13. */
  poison: createTlsServer(writeCertificate({ name: ['bad\0name'], notAfter: '20331301000000Z' }), (socket) => {
    quiet(socket).once('data', () => socket.end('HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n'));
  }),
  /** Alternates between up and down every 10 s, so that results change states and enqueue messages. */
  flip: createHttpServer((_request, response) => {
    response.writeHead(Math.floor(Date.now() / 10_000) % 2 === 0 ? 200 : 503).end();
  }),
};

const portOf = (address: ReturnType<Server['address']>) =>
  typeof address === 'object' && address !== null ? address.port : 0;

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', BACKLOG, resolve));
  return portOf(server.address());
}

/** Names of the noisy team are never answered; all other names resolve to this machine. */
const names = await dnsServer((type, name) => {
  if (name.endsWith('silent.test')) return 'silence';
  return type === 'A' ? ['127.0.0.1'] : [];
});

const ports = await Promise.all(Object.entries(servers).map(async ([name, server]) => [name, await listen(server)]));
process.send?.({ ...Object.fromEntries(ports), dns: names.port });
process.on('disconnect', () => process.exit());
