import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Budget, type BudgetLimits, meter } from './budget';
import type { FloodError } from './errors';

/** How long the other side may take to take what was sent to it last. */
const LINGER_MS = 1_000;
const LOOK_EVERY_MS = 10;
/** An honest server sends two. */
const MOST_TICKETS = 32;
const TICKETS_CAUSE = `The server sent more than ${MOST_TICKETS} TLS session tickets`;

/** Connections, which TLS reads from past JavaScript, with whom to tell how much came. */
const recorded = new Map<Socket, Budget>();
let looking: NodeJS.Timeout | null = null;

function look(): void {
  for (const [socket, budget] of recorded) budget.takeRecords(socket.bytesRead);
}

function record(socket: Socket, budget: Budget): void {
  recorded.set(socket, budget);
  looking ??= setInterval(look, LOOK_EVERY_MS).unref();
  socket.once('close', () => {
    recorded.delete(socket);
    if (recorded.size > 0 || !looking) return;
    clearInterval(looking);
    looking = null;
  });
}

/**
 * The sockets of one exchange and what they may cost. Whoever makes it closes it, whatever was thrown: then no socket stays open.
 */
export class Sockets {
  readonly budget: Budget;
  private readonly open = new Set<Socket>();
  private closed = false;

  /**
   * @param signal its abort destroys all sockets
   * @param exceed ends the exchange where the other side floods it
   */
  constructor(
    private readonly signal: AbortSignal,
    exceed: (error: FloodError) => void,
    limits?: BudgetLimits,
  ) {
    this.budget = new Budget(exceed, limits);
    signal.addEventListener('abort', this.abort);
  }

  /** Takes a socket over as soon as it is made. */
  own(socket: Socket): void {
    this.budget.restart();
    record(socket, this.budget);
    this.take(socket);
  }

  /** Takes over what speaks TLS on a socket that is owned, and ends that one with it. */
  ownSecured(socket: Socket, secured: TLSSocket): void {
    secured.on('session', () => this.budget.count('session', MOST_TICKETS, TICKETS_CAUSE));
    this.take(secured);
    this.open.delete(socket);
  }

  /** Ends what is open: what was sent last still goes out, for a moment. */
  close(): void {
    this.closed = true;
    this.signal.removeEventListener('abort', this.abort);
    for (const socket of this.open) {
      if (socket.writableNeedDrain) socket.destroy();
      else socket.destroySoon();
    }
    if (this.open.size > 0) setTimeout(() => this.destroy(), LINGER_MS).unref();
  }

  /** Ends what is open at once. */
  destroy(error?: Error): void {
    this.closed = true;
    this.signal.removeEventListener('abort', this.abort);
    for (const socket of this.open) socket.destroy(error);
  }

  private readonly abort = () => this.destroy(this.signal.reason as Error);

  private take(socket: Socket): void {
    meter(socket, this.budget);
    // Stays for the socket's life: an error after the exchange must not end the process.
    socket.on('error', () => undefined);
    socket.once('close', () => this.open.delete(socket));
    this.open.add(socket);
    if (this.closed) socket.destroy();
  }
}
