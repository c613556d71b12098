import type { Socket } from 'node:net';
import type { CostlyTurns } from './costly-turns';
import { FloodError } from './errors';

const KIB = 1024;
/** Bytes that TLS and HTTP/2 may read outside of JavaScript, beyond the data: OpenSSL accepts certificates of up to 100 KiB. */
const TLS_OVERHEAD_BYTES = 128 * KIB;
const TLS_RECORD_OVERHEAD_BYTES = 64;
/** The maximum counted time of a slice. If it took longer, something else delayed it, such as garbage collection. */
const MOST_MS_PER_SLICE = 20;
/** Data is processed in slices of this size, so that a limit is noticed soon. */
const SLICE_BYTES = 8 * KIB;

export interface BudgetLimits {
  /** The maximum number of chunks. */
  pieces: number;
  /** The maximum processing time. */
  computingMs: number;
  /** The maximum size before a response starts: headers, a banner, interim responses. */
  bytes: number;
  /** Whether sending data allows another response. */
  isConversation: boolean;
}

/** The limits of an exchange that has one response. */
export const FOR_ONE_ANSWER: BudgetLimits = {
  pieces: 10_000,
  computingMs: 100,
  bytes: 128 * KIB,
  isConversation: false,
};

const inWords = (bytes: number) =>
  bytes < KIB * KIB ? `${Math.ceil(bytes / KIB)} KiB` : `${Math.round(bytes / KIB / KIB)} MiB`;

/**
 * The limits of one exchange for this process: bytes, chunks, frames, and processing time. The first one exceeded ends the exchange with its own
 * cause. Wall-clock time is limited by the deadline.
 */
export class Budget {
  private bytes = 0;
  private mostBytes = 0;
  private bytesCause = '';
  private sentBytes = 0;
  private pieces = 0;
  private computingMs = 0;
  /** The size of data that was decrypted and waits for its turn. */
  private waitingBytes = 0;
  private readonly counts = new Map<string, number>();
  private spent = false;
  /** Inspects every slice before it is processed: counts the frames of a protocol. */
  scan: ((slice: Buffer) => void) | null = null;

  /** @param exceed called once, with the error, when a limit is exceeded; ends the exchange */
  constructor(
    private readonly exceed: (error: FloodError) => void,
    private readonly limits = FOR_ONE_ANSWER,
  ) {
    this.restart();
  }

  get isSpent(): boolean {
    return this.spent;
  }

  /** Allows the bytes before a response again, for a new connection of the same exchange. */
  restart(): void {
    const { bytes } = this.limits;
    this.allow(bytes, `The server sent more than ${inWords(bytes)} without a response`);
  }

  /** Records the total number of bytes sent. In a conversation, sending data allows another response. */
  sent(bytes: number): void {
    if (this.limits.isConversation && bytes !== this.sentBytes) this.restart();
    this.sentBytes = bytes;
  }

  /** Allows this many more bytes, including framing, because the response has started. */
  answerOf(bytes: number): void {
    this.allow(bytes, `The server sent more than ${inWords(bytes)} for one response`);
  }

  /** Counts an item of a kind, and ends the exchange with `cause` after more than `most` of them. */
  count(what: string, most: number, cause: string): void {
    const counted = (this.counts.get(what) ?? 0) + 1;
    this.counts.set(what, counted);
    if (counted > most) this.end(cause);
  }

  /** Counts a slice of a chunk before it is processed. */
  take(slice: Buffer): void {
    this.bytes += slice.length;
    if (this.bytes > this.mostBytes) this.end(this.bytesCause);
    this.scan?.(slice);
  }

  takePiece(): void {
    this.pieces += 1;
    const { pieces } = this.limits;
    if (this.pieces > pieces) this.end(`The server sent its response in more than ${pieces} chunks`);
  }

  /** Adds the processing time of a slice. */
  compute(ms: number): void {
    this.computingMs += Math.min(ms, MOST_MS_PER_SLICE);
    const { computingMs } = this.limits;
    if (this.computingMs > computingMs)
      this.end(`Processing the response took more than ${computingMs} ms of CPU time`);
  }

  /** Records the total bytes received over TLS connections, and ends the exchange if too many of them were not data. */
  takeRecords(bytes: number): void {
    const data = this.bytes + this.waitingBytes;
    const most = data + data / 8 + this.pieces * TLS_RECORD_OVERHEAD_BYTES + TLS_OVERHEAD_BYTES;
    if (bytes > most) this.end(`The server sent more than ${inWords(TLS_OVERHEAD_BYTES)} without data`);
  }

  /** Counts a chunk that has arrived and waits for its turn (+), or no longer waits (−). */
  wait(bytes: number): void {
    this.waitingBytes += bytes;
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

/**
 * Counts everything read from a socket before anything else reads it. Drops data beyond the budget. While `turns` must wait, at most one chunk is
 * held, because the socket reads no more until it was pushed.
 */
export function meter(socket: Socket, budget: Budget, turns: CostlyTurns | null): void {
  const push = socket.push.bind(socket);
  const receive = (chunk: Buffer | null, encoding?: BufferEncoding) => {
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
  if (!turns) {
    socket.push = receive;
    return;
  }
  /** The chunk that waits, and null after it if the data has ended. */
  const held: (Buffer | null)[] = [];
  const release = async () => {
    while (held.length > 0) {
      await turns.take(() => {
        const chunk = held[0] ?? null;
        budget.wait(-(chunk?.length ?? 0));
        return !socket.destroyed && receive(chunk);
      });
      held.shift();
    }
    socket.read(0);
  };
  socket.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (held.length === 0 && !turns.mustWait) return turns.run(() => receive(chunk, encoding));
    held.push(chunk);
    budget.wait(chunk?.length ?? 0);
    // Rejects if the exchange ends.
    if (held.length === 1) release().catch(() => undefined);
    return false;
  };
}
