import type { Socket } from 'node:net';
import { TargetFailure } from '@/server/monitor-types/probing/attempt';
import { Collected, connectionClosed } from '@/server/platform/net';
import { encodeHeaders, HeaderDecoder } from './hpack';

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const HEAD_BYTES = 9;
/** A peer may send longer frames only if allowed (RFC 9113 §4.2). */
const MOST_FRAME_BYTES = 16_384;
const MOST_BLOCK_BYTES = 64 * 1024;
const MOST_WINDOW = 2 ** 31 - 1;
const STREAM = 1;

const TYPE = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;
const FLAG = { ack: 1, endStream: 1, endHeaders: 4, padded: 8, priority: 32 } as const;
const SETTING = { enablePush: 2, initialWindow: 4, maxFrame: 5 } as const;

const NO_HTTP2 = 'The port does not support HTTP/2, which gRPC requires';
const VIOLATION = 'The server violated the HTTP/2 protocol';
const BROKEN_OFF = 'The server aborted the call';

/** The response to a call; header names in lower case, trailers included. */
export interface Http2Answer {
  headers: Record<string, string>;
  body: Buffer;
}

export interface Http2Call {
  headers: Record<string, string>;
  body: Buffer;
  /** The maximum size of the response. A longer one fails with the cause `tooLong`. */
  mostBytes: number;
  tooLong: string;
  /** Called for every frame. */
  onFrame: () => void;
  /** Called at the start of the response. */
  onAnswer: () => void;
}

interface Frame {
  type: number;
  flags: number;
  stream: number;
  payload: Buffer;
}

function encodeFrame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

function encodeSettings(settings: [id: number, value: number][]): Buffer {
  return Buffer.concat(
    settings.map(([id, value]) => {
      const bytes = Buffer.alloc(6);
      bytes.writeUInt16BE(id, 0);
      bytes.writeUInt32BE(value, 2);
      return bytes;
    }),
  );
}

function assertValid(isValid: boolean): asserts isValid {
  if (!isValid) throw new TargetFailure(VIOLATION);
}

/** Returns the payload of a frame without its padding (RFC 9113 §6.1). */
function withoutPadding({ flags, payload }: Frame): Buffer {
  if ((flags & FLAG.padded) === 0) return payload;
  const padding = payload[0] ?? payload.length;
  assertValid(padding < payload.length);
  return payload.subarray(1, payload.length - padding);
}

/** One call over a dedicated connection: reads frames until the response is complete. */
class Exchange {
  private unread: Buffer = Buffer.alloc(0);
  private hasSettings = false;
  private readonly decoder = new HeaderDecoder();
  /** A header block that is not complete yet. */
  private block: { parts: Collected; endsStream: boolean } | null = null;
  private headers: Record<string, string> | null = null;
  private readonly body: Collected;
  private readonly windows = new Map([
    [0, 65_535],
    [STREAM, 65_535],
  ]);

  constructor(
    private readonly call: Http2Call,
    private readonly send: (bytes: Buffer) => void,
  ) {
    this.body = new Collected(call.mostBytes + 1);
  }

  /**
   * Feeds bytes; returns the response once it is complete, null before.
   * @throws TargetFailure
   */
  receive(bytes: Buffer): Http2Answer | null {
    this.unread = this.unread.length === 0 ? bytes : Buffer.concat([this.unread, bytes]);
    for (let frame = this.take(); frame; frame = this.take()) {
      this.call.onFrame();
      if (this.accept(frame) && this.headers) return { headers: this.headers, body: this.body.bytes };
    }
    return null;
  }

  /** Takes the next complete frame out of the received bytes; null if it is not complete yet. */
  private take(): Frame | null {
    if (this.unread.length < HEAD_BYTES) return null;
    const length = this.unread.readUIntBE(0, 3);
    const type = this.unread.readUInt8(3);
    // A server starts with a SETTINGS frame; the first bytes of another protocol are none.
    if (!this.hasSettings && (type !== TYPE.settings || length > MOST_FRAME_BYTES)) throw new TargetFailure(NO_HTTP2);
    assertValid(length <= MOST_FRAME_BYTES);
    if (this.unread.length < HEAD_BYTES + length) return null;
    const frame = {
      type,
      flags: this.unread.readUInt8(4),
      stream: this.unread.readUInt32BE(5) % 2 ** 31,
      payload: this.unread.subarray(HEAD_BYTES, HEAD_BYTES + length),
    };
    this.unread = this.unread.subarray(HEAD_BYTES + length);
    return frame;
  }

  /** Handles a frame. Returns whether it ends the response. */
  private accept(frame: Frame): boolean {
    const { type, flags, stream, payload } = frame;
    assertValid((this.block !== null) === (type === TYPE.continuation));
    switch (type) {
      case TYPE.data:
        return this.acceptData(frame);
      case TYPE.headers: {
        assertValid(stream === STREAM);
        const skipped = (flags & FLAG.priority) === 0 ? 0 : 5;
        const part = withoutPadding(frame);
        assertValid(part.length >= skipped);
        this.block = { parts: new Collected(MOST_BLOCK_BYTES + 1), endsStream: (flags & FLAG.endStream) !== 0 };
        return this.acceptBlock(part.subarray(skipped), flags);
      }
      case TYPE.continuation:
        assertValid(stream === STREAM);
        return this.acceptBlock(payload, flags);
      case TYPE.reset:
        assertValid(payload.length === 4 && stream !== 0);
        throw new TargetFailure(BROKEN_OFF);
      case TYPE.settings:
        this.acceptSettings(frame);
        return false;
      case TYPE.ping:
        assertValid(payload.length === 8 && stream === 0);
        if ((flags & FLAG.ack) === 0) this.send(encodeFrame(TYPE.ping, FLAG.ack, 0, payload));
        return false;
      case TYPE.goAway:
        assertValid(payload.length >= 8 && stream === 0);
        // Our call may still be answered if it is the last processed stream.
        if (payload.readUInt32BE(0) % 2 ** 31 < STREAM || payload.readUInt32BE(4) !== 0)
          throw new TargetFailure(BROKEN_OFF);
        return false;
      case TYPE.windowUpdate:
        this.acceptWindow(frame);
        return false;
      case TYPE.priority:
        assertValid(payload.length === 5 && stream !== 0);
        return false;
      default:
        // Pushes are disabled; unknown frame types are ignored (RFC 9113 §5.5).
        assertValid(type !== TYPE.push);
        return false;
    }
  }

  private acceptData(frame: Frame): boolean {
    assertValid(frame.stream === STREAM && this.headers !== null);
    this.body.add(withoutPadding(frame));
    if (this.body.size > this.call.mostBytes) throw new TargetFailure(this.call.tooLong);
    const ends = (frame.flags & FLAG.endStream) !== 0;
    if (!ends && frame.payload.length > 0) {
      const more = Buffer.alloc(4);
      more.writeUInt32BE(frame.payload.length);
      for (const stream of [0, STREAM]) this.send(encodeFrame(TYPE.windowUpdate, 0, stream, more));
    }
    return ends;
  }

  private acceptBlock(part: Buffer, flags: number): boolean {
    const { block } = this;
    assertValid(block !== null);
    block.parts.add(part);
    assertValid(block.parts.size <= MOST_BLOCK_BYTES);
    if ((flags & FLAG.endHeaders) === 0) return false;
    this.block = null;
    const fields = this.decode(block.parts.bytes);
    const status = fields[':status'];
    if (this.headers === null) {
      assertValid(status !== undefined && /^\d{3}$/.test(status));
      // An interim response: the final one follows.
      if (status.startsWith('1') && !block.endsStream) return false;
      this.headers = fields;
      this.call.onAnswer();
    } else {
      assertValid(status === undefined && block.endsStream);
      this.headers = { ...this.headers, ...fields };
    }
    return block.endsStream;
  }

  private decode(block: Buffer): Record<string, string> {
    try {
      const fields: Record<string, string> = Object.create(null);
      for (const [name, value] of this.decoder.decode(block)) {
        assertValid(!(name.startsWith(':') && name in fields));
        fields[name] = value;
      }
      return fields;
    } catch (error) {
      if (error instanceof RangeError) throw new TargetFailure(VIOLATION);
      throw error;
    }
  }

  private acceptSettings({ flags, stream, payload }: Frame): void {
    this.hasSettings = true;
    const isAck = (flags & FLAG.ack) !== 0;
    assertValid(stream === 0 && payload.length % 6 === 0 && !(isAck && payload.length > 0));
    if (isAck) return;
    for (let at = 0; at < payload.length; at += 6) {
      const value = payload.readUInt32BE(at + 2);
      const id = payload.readUInt16BE(at);
      if (id === SETTING.initialWindow) assertValid(value <= MOST_WINDOW);
      if (id === SETTING.maxFrame) assertValid(value >= MOST_FRAME_BYTES && value < 2 ** 24);
    }
    this.send(encodeFrame(TYPE.settings, FLAG.ack, 0));
  }

  private acceptWindow({ stream, payload }: Frame): void {
    assertValid(payload.length === 4);
    const more = payload.readUInt32BE(0) % 2 ** 31;
    const window = (this.windows.get(stream) ?? 0) + more;
    assertValid(more > 0 && window <= MOST_WINDOW);
    if (this.windows.has(stream)) this.windows.set(stream, window);
  }
}

/**
 * Makes one call over a dedicated connection (HTTP/2, RFC 9113). Does not use Node's HTTP/2, because a peer can end the whole process by it: an
 * assertion in its memory accounting fails when a connection is dropped within a header block (docs/decisions/0019). Everything is read in
 * JavaScript, so every frame is counted.
 * @throws TargetFailure if the response violates the protocol or is truncated; the socket's error otherwise
 */
export function callOverHttp2(socket: Socket, call: Http2Call): Promise<Http2Answer> {
  return new Promise((resolve, reject) => {
    const exchange = new Exchange(call, (bytes) => void socket.write(bytes));
    const settle = (finish: () => void) => {
      socket.removeListener('data', receive);
      socket.resume();
      finish();
    };
    const receive = (bytes: Buffer) => {
      try {
        const answer = exchange.receive(bytes);
        if (answer) settle(() => resolve(answer));
      } catch (error) {
        settle(() => reject(error));
      }
    };
    const closed = () => reject(connectionClosed());
    socket.on('data', receive);
    socket.once('error', reject);
    socket.once('end', closed);
    socket.once('close', closed);
    const settings = encodeFrame(TYPE.settings, 0, 0, encodeSettings([[SETTING.enablePush, 0]]));
    const headers = encodeFrame(TYPE.headers, FLAG.endHeaders, STREAM, encodeHeaders(call.headers));
    const data = encodeFrame(TYPE.data, FLAG.endStream, STREAM, call.body);
    socket.write(Buffer.concat([Buffer.from(PREFACE), settings, headers, data]));
  });
}
