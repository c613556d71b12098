import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import { selfSignedCertificate } from '@/tests/support/certificate';

export interface Target {
  port: number;
  close(): Promise<void>;
}

/** Starts a server on a port of loopback; closing it ends its connections. */
export async function listening(server: Server, sockets = new Set<Socket>()): Promise<Target> {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A real HTTP server on loopback, optionally over TLS with an untrusted certificate. */
export function httpTarget(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  { secure = false } = {},
): Promise<Target> {
  return listening(secure ? https.createServer(selfSignedCertificate, answer) : http.createServer(answer));
}

/** A real TCP server on loopback. */
export function tcpTarget(
  greet: (socket: Socket) => void,
  { secure = false, certificate = selfSignedCertificate }: { secure?: boolean; certificate?: tls.TlsOptions } = {},
): Promise<Target> {
  return listening(secure ? tls.createServer(certificate, greet) : net.createServer(greet));
}

/** A closed port of the loopback address. */
export async function closedPort(): Promise<number> {
  const target = await tcpTarget(() => undefined);
  await target.close();
  return target.port;
}

/** The options of a check for a team that ends with `signal`. */
export const asTeam = (signal = new AbortController().signal) => ({ signal, teamId: 'team' });
