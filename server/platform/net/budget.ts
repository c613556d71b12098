import type { Socket } from 'node:net';
import { FloodError } from './errors';

const KIB = 1024;
/** What TLS and HTTP/2 may read past JavaScript beyond the data they carry: OpenSSL takes certificates of up to 100 KiB. */
const TLS_OVERHEAD_BYTES = 128 * KIB;
const TLS_RECORD_OVERHEAD_BYTES = 64;
/** A slice that took longer was held up by something else, such as garbage collection. */
const MOST_MS_PER_SLICE = 20;
/** What is read is handed on in slices of this size, so that a limit is noticed soon. */
const SLICE_BYTES = 8 * KIB;

export interface BudgetLimits {
  /** How often data may come. */
  pieces: number;
  /** How long it may take to work through all that came. */
  computingMs: number;
  /** What may come before an answer begins: its headers, a banner, interim answers. */
  bytes: number;
  /** Whether whatever is sent asks for another answer. */
  isConversation: boolean;
}

const FOR_ONE_ANSWER: BudgetLimits = { pieces: 10_000, computingMs: 100, bytes: 128 * KIB, isConversation: false };

const inWords = (bytes: number) =>
  bytes < KIB * KIB ? `${Math.ceil(bytes / KIB)} KiB` : `${Math.round(bytes / KIB / KIB)} MiB`;

/**
 * What one exchange may cost this process: bytes, pieces, frames, and the time to work through them. Whichever is used up first
 * ends the exchange with a cause of its own. Time on the clock is the deadline's.
 */
export class Budget {
  private bytes = 0;
  private mostBytes = 0;
  private bytesCause = '';
  private sentBytes = 0;
  private pieces = 0;
  private computingMs = 0;
  private readonly counts = new Map<string, number>();
  private spent = false;
  /** Looks at every slice before it is worked through: counts the frames of a protocol. */
  scan: ((slice: Buffer) => void) | null = null;

  /** @param exceed ends the exchange; called once */
  constructor(
    private readonly exceed: (error: FloodError) => void,
    private readonly limits = FOR_ONE_ANSWER,
  ) {
    this.restart();
  }

  get isSpent(): boolean {
    return this.spent;
  }

  /** A new connection of the same exchange: no answer has begun on it. */
  restart(): void {
    const { bytes } = this.limits;
    this.allow(bytes, `The server sent more than ${inWords(bytes)} without an answer`);
  }

  /** Takes note of how much was sent so far. */
  sent(bytes: number): void {
    if (this.limits.isConversation && bytes !== this.sentBytes) this.restart();
    this.sentBytes = bytes;
  }

  /** The answer has begun, and may take so many more bytes, with all that frames it. */
  answerOf(bytes: number): void {
    this.allow(bytes, `The server sent more than ${inWords(bytes)} for one answer`);
  }

  /** Counts one more of something, and ends the exchange with `cause` after `most` of them. */
  count(what: string, most: number, cause: string): void {
    const counted = (this.counts.get(what) ?? 0) + 1;
    this.counts.set(what, counted);
    if (counted > most) this.end(cause);
  }

  /** Takes note of a piece of data before it is worked through. */
  take(slice: Buffer): void {
    this.bytes += slice.length;
    if (this.bytes > this.mostBytes) this.end(this.bytesCause);
    this.scan?.(slice);
  }

  takePiece(): void {
    this.pieces += 1;
    const { pieces } = this.limits;
    if (this.pieces > pieces) this.end(`The server sent its answer in more than ${pieces} pieces`);
  }

  /** Takes note of how long a slice was worked on. */
  compute(ms: number): void {
    this.computingMs += Math.min(ms, MOST_MS_PER_SLICE);
    const { computingMs } = this.limits;
    if (this.computingMs > computingMs)
      this.end(`Reading what the server sent took more than ${computingMs} ms of computing time`);
  }

  /** Takes note of all bytes that came over TLS connections so far, data or not. */
  takeRecords(bytes: number): void {
    const most = this.bytes + this.bytes / 8 + this.pieces * TLS_RECORD_OVERHEAD_BYTES + TLS_OVERHEAD_BYTES;
    if (bytes > most) this.end(`The server sent more than ${inWords(TLS_OVERHEAD_BYTES)} without data in it`);
  }

  private allow(bytes: number, cause: string): void {
    this.mostBytes = this.bytes + bytes;
    this.bytesCause = cause;
  }

  private end(cause: string): void {
    if (this.spent) return;
    this.spent = true;
    this.exceed(new FloodError(cause));
  }
}

/** Has all that comes out of a socket counted, before anybody else sees it. What comes after the budget is dropped. */
export function meter(socket: Socket, budget: Budget): void {
  const push = socket.push.bind(socket);
  socket.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (chunk === null) return push(null);
    budget.sent(socket.bytesWritten);
    budget.takePiece();
    let wantsMore = true;
    for (let at = 0; at < chunk.length && !budget.isSpent; at += SLICE_BYTES) {
      const slice = chunk.subarray(at, at + SLICE_BYTES);
      budget.take(slice);
      if (budget.isSpent) break;
      const from = performance.now();
      wantsMore = push(slice, encoding);
      budget.compute(performance.now() - from);
    }
    return wantsMore && !budget.isSpent;
  };
}
