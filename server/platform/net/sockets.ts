import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Budget, type BudgetLimits, meter } from './budget';
import { CostlyTurns } from './costly-turns';
import type { FloodError } from './errors';
import type { Handshake } from './handshake';
import type { Asker } from './resolve';

/** How long the peer may take to read the last data that was sent. */
const LINGER_MS = 1_000;
const RECORDS_EVERY_MS = 10;
/** The maximum number of TLS session tickets; a well-behaved server sends two. */
const MOST_TICKETS = 32;
const TICKETS_CAUSE = `The server sent more than ${MOST_TICKETS} TLS session tickets`;

/** Sockets by the budget of their exchange. An interval counts their bytes, because TLS reads data outside of JavaScript. */
const recorded = new Map<Socket, { budget: Budget; handshake: Handshake | null }>();
let timer: NodeJS.Timeout | null = null;

function takeRecords(): void {
  for (const [socket, { budget, handshake }] of recorded) {
    // What the TLS connection has not read yet may all be data.
    const unread = socket.readableLength + (handshake?.readableLength ?? 0);
    budget.takeRecords(socket.bytesRead - unread);
  }
}

function record(socket: Socket, budget: Budget): void {
  recorded.set(socket, { budget, handshake: null });
  timer ??= setInterval(takeRecords, RECORDS_EVERY_MS).unref();
  socket.once('close', () => {
    recorded.delete(socket);
    if (recorded.size > 0 || !timer) return;
    clearInterval(timer);
    timer = null;
  });
}

/** The sockets of one exchange and their limits. Its creator must close it in any case, so that no socket stays open. */
export class Sockets {
  readonly budget: Budget;
  private readonly open = new Set<Socket>();
  private closed = false;

  /**
   * @param signal destroys all sockets when it aborts
   * @param exceed ends the exchange when a limit is exceeded
   * @param asker the team that the target belongs to; null if the operator set the address
   */
  constructor(
    private readonly signal: AbortSignal,
    exceed: (error: FloodError) => void,
    private readonly asker: Asker | null,
    limits?: BudgetLimits,
  ) {
    this.budget = new Budget(exceed, limits);
    signal.addEventListener('abort', this.abort);
  }

  /** Takes over a new socket: counts its input, and closes it with the exchange. */
  own(socket: Socket): void {
    this.budget.restart();
    record(socket, this.budget);
    this.take(socket);
  }

  /** Takes over a TLS connection on an owned socket, which ends with it. `handshake` is the stream between them, if there is one. */
  ownSecured(socket: Socket, secured: TLSSocket, handshake: Handshake | null): void {
    if (recorded.has(socket)) recorded.set(socket, { budget: this.budget, handshake });
    // Its bytes are counted where they are decrypted.
    Reflect.deleteProperty(socket, 'push');
    secured.on('session', () => this.budget.count('session', MOST_TICKETS, TICKETS_CAUSE));
    this.take(secured);
    this.open.delete(socket);
  }

  /** Ends open sockets gracefully: the last data is still sent, within a time limit. */
  close(): void {
    this.closed = true;
    this.signal.removeEventListener('abort', this.abort);
    for (const socket of this.open) {
      if (socket.writableNeedDrain) socket.destroy();
      else socket.destroySoon();
    }
    if (this.open.size > 0) setTimeout(() => this.destroy(), LINGER_MS).unref();
  }

  /** Destroys open sockets. */
  destroy(error?: Error): void {
    this.closed = true;
    this.signal.removeEventListener('abort', this.abort);
    for (const socket of this.open) socket.destroy(error);
  }

  private readonly abort = () => this.destroy(this.signal.reason as Error);

  private take(socket: Socket): void {
    meter(socket, this.budget, this.asker && new CostlyTurns(this.asker));
    // Stays for the socket's lifetime: an error after the exchange must not end the process.
    socket.on('error', () => undefined);
    socket.once('close', () => this.open.delete(socket));
    this.open.add(socket);
    if (this.closed) socket.destroy();
  }
}
