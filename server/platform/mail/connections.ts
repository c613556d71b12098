import type { Socket } from 'node:net';
import { dial, Sockets } from '../net';

/** The limits of an SMTP session. A reply has a few lines, and a hundred messages take a tenth of this CPU time. */
const LIMITS = { pieces: 20_000, computingMs: 2_000, bytes: 32 * 1024, isConversation: true };
const CONNECT_WITHIN_MS = 10_000;

/** The host and port that nodemailer connects to. */
interface Wanted {
  host?: string;
  port?: number;
  secure?: boolean;
}

export type GotSocket = (error: Error | null, options?: { connection: Socket }) => void;

/** Wraps the error of a connection, with the code that nodemailer would use. */
function toMailCode(error: Error & { code?: string; syscall?: string }): Error {
  const code = error.syscall?.startsWith('getaddrinfo') ? 'EDNS' : error.code === 'ETIMEDOUT' ? 'ETIMEDOUT' : 'ESOCKET';
  return Object.assign(new Error(error.message, { cause: error }), { code });
}

/** The connections of a pool to the mail server, with limits for what the server sends. Closes them with the pool. */
export class Connections {
  private readonly stop = new AbortController();

  open(wanted: Wanted, done: GotSocket): void {
    this.connect(wanted).then(
      (connection) => done(null, { connection }),
      (error: Error) => done(toMailCode(error)),
    );
  }

  close(): void {
    this.stop.abort(Object.assign(new Error('The pool is closed'), { code: 'ETIMEDOUT' }));
  }

  private async connect({ host = 'localhost', secure = false, port = secure ? 465 : 587 }: Wanted): Promise<Socket> {
    const { signal } = this.stop;
    const sockets: Sockets = new Sockets(signal, (error) => sockets.destroy(error), null, LIMITS);
    const late = Object.assign(new Error('No connection in time'), { code: 'ETIMEDOUT' });
    const timer = setTimeout(() => sockets.destroy(late), CONNECT_WITHIN_MS);
    try {
      const target = { host, port: Number(port), family: 0, tls: null } as const;
      const socket = await dial(target, { signal, sockets, asker: null });
      socket.once('close', () => sockets.close());
      return socket;
    } catch (error) {
      sockets.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
