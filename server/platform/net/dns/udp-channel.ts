import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { ServerAddress } from './server-address';

/** The number of queries per socket, and its idle timeout. */
const MOST_USES = 16;
const IDLE_FOR_MS = 5_000;

interface Listener {
  onMessage: (bytes: Buffer) => void;
  onError: (error: Error) => void;
}

const idle = new Map<string, UdpChannel[]>();

/**
 * A UDP socket that is connected to one name server: it receives datagrams from that server only, and reports a closed port. Opening one costs more
 * than a query, so it is used for several queries, one at a time. Then it is replaced, so that its port cannot be guessed.
 */
export class UdpChannel {
  private readonly socket: Socket;
  private uses = 0;
  private unasked = 0;
  private listener: Listener | null = null;
  private isConnected = false;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly server: ServerAddress,
    private readonly key: string,
  ) {
    this.socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4');
    this.socket.on('message', (bytes) => (this.listener ? this.listener.onMessage(bytes) : this.drop()));
    this.socket.on('error', (error) => (this.listener ? this.listener.onError(error) : this.close()));
  }

  /** Returns an idle channel to this server, or a new one. */
  static take(server: ServerAddress): UdpChannel {
    const key = `${server.address} ${server.port}`;
    const channel = idle.get(key)?.pop() ?? new UdpChannel(server, key);
    clearTimeout(channel.timer);
    return channel;
  }

  /** Sends a datagram, and passes responses to the listener until the channel is released or closed. */
  send(bytes: Buffer, listener: Listener): void {
    this.listener = listener;
    this.uses += 1;
    if (this.isConnected) {
      this.socket.ref().send(bytes);
      return;
    }
    this.socket.connect(this.server.port, this.server.address, () => {
      this.isConnected = true;
      if (!this.isClosed) this.socket.send(bytes);
    });
  }

  /** Keeps the channel for the next query, or closes it if it was used often enough. */
  release(): void {
    this.listener = null;
    if (this.uses >= MOST_USES) {
      this.close();
      return;
    }
    // Neither the socket nor the timer keeps an idle process alive.
    this.socket.unref();
    this.timer = setTimeout(() => this.close(), IDLE_FOR_MS).unref();
    const others = idle.get(this.key);
    if (others) others.push(this);
    else idle.set(this.key, [this]);
  }

  /** Closes this channel and all idle ones to the same server, because the route may have changed. */
  closeAll(): void {
    for (const each of idle.get(this.key) ?? []) each.close();
    this.close();
  }

  /**
   * Drops a datagram that no query waits for, such as a late or second answer. Closes the channel if there are more of them than queries, because
   * that is a flood.
   */
  private drop(): void {
    this.unasked += 1;
    if (this.unasked > this.uses) this.close();
  }

  private close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.listener = null;
    clearTimeout(this.timer);
    this.socket.close();
    const left = idle.get(this.key)?.filter((each) => each !== this) ?? [];
    if (left.length > 0) idle.set(this.key, left);
    else idle.delete(this.key);
  }
}
