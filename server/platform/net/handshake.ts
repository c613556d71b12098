import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { CostlyTurns } from './costly-turns';
import { FloodError } from './errors';
import type { Asker } from './resolve';

const KIB = 1024;
/** Chains of public servers have up to 10 KiB. The cost of verifying one grows with its size, and OpenSSL allows 100 KiB. */
const MOST_BYTES = 32 * KIB;

/**
 * A stream between a socket and the TLS connection on it, which limits and delays the handshake. Without it, Node reads the socket outside of
 * JavaScript, where neither is possible.
 */
export class Handshake extends Duplex {
  private bytes = 0;
  private isDone = false;
  private held = 0;
  private last = Promise.resolve();
  private readonly turns: CostlyTurns;

  constructor(
    private readonly socket: Socket,
    asker: Asker,
  ) {
    super({ allowHalfOpen: true });
    this.turns = new CostlyTurns(asker);
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    let hasEnded = false;
    socket.once('end', () => {
      hasEnded = true;
      void this.last.then(() => this.push(null));
    });
    // After the end, it is about what this side sent.
    socket.once('error', (error) => hasEnded || this.destroy(error));
    // After a proper end, the TLS connection destroys this when its data was read: destroyed before, it would drop data that waits for its turn.
    socket.once('close', () => void this.last.then(() => hasEnded || this.destroy()));
  }

  /** Ends the limits, because after the handshake, data is counted where it is decrypted. */
  done(): void {
    this.isDone = true;
  }

  override _read(): void {
    if (this.held === 0) this.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    // The peer has ended the connection, and with it this side.
    if (this.socket.writableEnded) done();
    else this.socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    if (this.socket.writableEnded) done();
    else this.socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }

  private receive(chunk: Buffer): void {
    if (this.isDone && this.held === 0) {
      if (!this.push(chunk)) this.socket.pause();
      return;
    }
    this.bytes += chunk.length;
    if (this.bytes > MOST_BYTES && !this.isDone) {
      this.destroy(new FloodError(`The server sent more than ${MOST_BYTES / KIB} KiB in its TLS handshake`));
      return;
    }
    this.socket.pause();
    this.held += 1;
    this.last = this.last.then(() => this.step(chunk));
  }

  private async step(chunk: Buffer): Promise<void> {
    try {
      await this.turns.take(() => this.push(chunk));
    } catch {
      // The exchange has ended.
      return;
    }
    this.held -= 1;
    if (this.held === 0) this.socket.resume();
  }
}
