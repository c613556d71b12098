import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { type Attempt, TargetFailure } from '@/server/monitor-types/probing/attempt';
import { Reader } from '@/server/monitor-types/probing/reader';

const MOST_PACKETS = 1_000;
const PACKETS_CAUSE = `The server sent more than ${MOST_PACKETS} packets without a message`;
const KEEP_ALIVE_SECONDS = 120;

/** The kinds of packets with the flags that a client sends (MQTT 3.1.1 §2.2). */
const SENT = { CONNECT: 0x10, SUBSCRIBE: 0x82, DISCONNECT: 0xe0 };
/** The kinds of packets that a client receives. */
const RECEIVED = { CONNACK: 2, PUBLISH: 3, SUBACK: 9 };

/** Why a connection is refused (§3.2.2.3). */
const REFUSALS = [
  '',
  'The server does not support MQTT 3.1.1',
  'The server rejected the client ID',
  'The server is not available',
  'The server rejected the username or password',
  'The server rejected the login: not authorized',
];

/** A message of a topic. */
export interface MqttMessage {
  topic: string;
  payload: string;
}

interface Packet {
  kind: number;
  flags: number;
  body: Buffer;
}

const malformed = () => new TargetFailure('The server sent a packet that MQTT does not allow');

/** Encodes a text with its length (§1.5.3). */
function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
}

function encode(kind: number, body: Buffer): Buffer {
  const head = [kind];
  let left = body.length;
  do {
    head.push((left & 127) | (left > 127 ? 128 : 0));
    left >>= 7;
  } while (left > 0);
  return Buffer.concat([Buffer.from(head), body]);
}

/** Returns the topic and the payload of a PUBLISH packet (§3.3). */
function readMessage({ flags, body }: Packet): MqttMessage {
  const size = body.length < 2 ? body.length : body.readUInt16BE(0);
  // With a quality of service, an identifier follows.
  const start = 2 + size + ((flags & 6) === 0 ? 0 : 2);
  if (start > body.length) throw malformed();
  return { topic: body.toString('utf8', 2, 2 + size), payload: body.toString('utf8', start) };
}

/**
 * One connection of MQTT 3.1.1. Packets are read one at a time, so that a server cannot make this process work more than the check's budget allows.
 * Methods reject with TargetFailure if the server refuses.
 */
export class MqttSession {
  private readonly reader: Reader;

  constructor(
    private readonly socket: Socket,
    private readonly attempt: Attempt,
  ) {
    this.reader = new Reader(socket);
  }

  /** Logs in with a new client ID and without a stored session. */
  async logIn(username: string | undefined, password: string | undefined): Promise<void> {
    const flags = 2 | (username === undefined ? 0 : 128) | (password === undefined ? 0 : 64);
    const settings = Buffer.from([4, flags, KEEP_ALIVE_SECONDS >> 8, KEEP_ALIVE_SECONDS & 255]);
    const login = [username, password].flatMap((each) => (each === undefined ? [] : [text(each)]));
    const clientId = text(`upwatch${randomBytes(6).toString('hex')}`);
    this.send(SENT.CONNECT, Buffer.concat([text('MQTT'), settings, clientId, ...login]));
    const { kind, body } = await this.next();
    this.attempt.answering = true;
    const code = body[1];
    if (kind !== RECEIVED.CONNACK || body.length !== 2 || code === undefined) throw malformed();
    if (code !== 0) throw new TargetFailure(REFUSALS[code] ?? `The server rejected the login with code ${code}`);
  }

  /** Subscribes to a topic; at most once per message. Messages may arrive from then on. */
  async subscribe(topic: string): Promise<void> {
    this.send(SENT.SUBSCRIBE, Buffer.concat([Buffer.from([0, 1]), text(topic), Buffer.from([0])]));
    let packet = await this.next();
    while (packet.kind === RECEIVED.PUBLISH) {
      this.early.push(packet);
      packet = await this.next();
    }
    if (packet.kind !== RECEIVED.SUBACK || packet.body.length !== 3) throw malformed();
    if (packet.body[2] === 128) throw new TargetFailure('The server rejected the subscription to the topic');
  }

  /** Messages that arrived before the subscription was confirmed (§3.8.4). */
  private readonly early: Packet[] = [];

  /** Returns the next message. Skips retained ones unless `retained` is true. */
  async message(retained: boolean): Promise<MqttMessage> {
    for (;;) {
      const packet = this.early.shift() ?? (await this.next());
      if (packet.kind !== RECEIVED.PUBLISH) throw malformed();
      if (retained || (packet.flags & 1) === 0) return readMessage(packet);
    }
  }

  /** Ends the session. The verdict does not wait for it. */
  end(): void {
    this.send(SENT.DISCONNECT, Buffer.alloc(0));
  }

  private send(kind: number, body: Buffer): void {
    this.socket.write(encode(kind, body));
  }

  private async next(): Promise<Packet> {
    this.attempt.budget.count('packets', MOST_PACKETS, PACKETS_CAUSE);
    const [first = 0] = await this.reader.bytes(1);
    return { kind: first >> 4, flags: first & 15, body: await this.reader.bytes(await this.size()) };
  }

  /** Reads the length of a packet: seven bits per byte, at most four bytes (§2.2.3). */
  private async size(): Promise<number> {
    let size = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const [byte = 0] = await this.reader.bytes(1);
      size += (byte & 127) << shift;
      if (byte < 128) return size;
    }
    throw malformed();
  }
}
