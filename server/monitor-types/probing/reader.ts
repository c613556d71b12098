import type { Socket } from 'node:net';
import { TargetFailure } from '@/server/monitor-types/probing/attempt';
import { connectionClosed } from '@/server/platform/net';

/** The maximum number of bytes that arrived and were not read yet. */
const MOST_UNREAD_BYTES = 64 * 1024;
const UNREAD_CAUSE = 'The server sent more than 64 KiB at once';

/** The server closed the connection, in order, before the response. */
export class ClosedEarly extends TargetFailure {
  static override readonly kind: string = 'ClosedEarly';
}

/**
 * Reads lines and bytes from one connection, in their order. Every read rejects with TargetFailure if the server closes the connection first, and
 * with the socket's error.
 */
export class Reader {
  private received = Buffer.alloc(0);
  private failure: Error | null = null;
  private wake: (() => void) | null = null;

  constructor(private readonly socket: Socket) {
    socket.on('data', this.onData);
    socket.once('end', () => this.fail(new ClosedEarly('The connection was closed before the server replied')));
    socket.once('error', (error) => this.fail(error));
    socket.once('close', () => this.fail(connectionClosed()));
  }

  /** Reads the next line; returns it without its line break. */
  async line(): Promise<string> {
    let end = this.received.indexOf('\n');
    while (end < 0) {
      await this.more();
      end = this.received.indexOf('\n');
    }
    return this.take(end + 1)
      .subarray(0, end)
      .toString('utf8')
      .replace(/\r$/, '');
  }

  /** Reads the next `size` bytes, at most 64 KiB. */
  async bytes(size: number): Promise<Buffer> {
    if (size > MOST_UNREAD_BYTES) throw new TargetFailure(UNREAD_CAUSE);
    while (this.received.length < size) await this.more();
    return this.take(size);
  }

  /**
   * Stops reading, so that something else can take over the connection.
   * @throws TargetFailure with `cause` if bytes have arrived already, because they could have been injected
   */
  release(cause: string): Socket {
    this.socket.off('data', this.onData);
    if (this.received.length > 0) throw new TargetFailure(cause);
    return this.socket;
  }

  private take(size: number): Buffer {
    const taken = this.received.subarray(0, size);
    this.received = this.received.subarray(size);
    return taken;
  }

  private readonly onData = (part: Buffer): void => {
    this.received = Buffer.concat([this.received, part]);
    if (this.received.length > MOST_UNREAD_BYTES) this.fail(new TargetFailure(UNREAD_CAUSE));
    this.wake?.();
  };

  /** Waits until more bytes arrive. */
  private async more(): Promise<void> {
    if (this.failure) throw this.failure;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
    });
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.wake?.();
  }
}
