import type { Socket } from 'node:net';
import { type Attempt, TargetFailure } from '@/server/monitor-types/probing/attempt';
import { Reader } from '@/server/monitor-types/probing/reader';
import { excerpt } from '../excerpt';
import type { QueryResult } from '../sql/query';
import { CACHING, proofFor, SEED_BYTES } from './authentication';

const MOST_PACKETS = 4_000;
const PACKETS_CAUSE = `The server sent more than ${MOST_PACKETS} packets`;
const MOST_QUOTED = 200;
const MOST_COLUMNS = 1_000;
const UTF8MB4 = 45;
const MOST_PACKET_BYTES = 0xff_ff_ff;

/** The capabilities that the client asks for. Without the others, a query is one statement, and the server cannot read local files. */
const CAPABLE = { WITH_DB: 8, PROTOCOL_41: 512, TLS: 2_048, TRANSACTIONS: 8_192, SECURE: 32_768, PLUGIN_AUTH: 1 << 19 };

const COMMAND = { QUIT: 1, QUERY: 3 };
const FIRST_BYTE = { OK: 0, MORE: 1, FILE: 0xfb, EOF: 0xfe, ERROR: 0xff };
/** The server's answers to the proof of `caching_sha2_password`: it is accepted, or the password itself is needed. */
const SHA2 = { KNOWN: 3, PASSWORD: 4 };

interface Greeting {
  version: string;
  offersTls: boolean;
  seed: Buffer;
  method: string;
}

interface MysqlLogin {
  username: string;
  password: string;
  database: string | undefined;
  tls: boolean;
}

/** Returns the client's settings, with which both the request for TLS and the login begin. */
function settingsFor({ database, tls }: MysqlLogin): Buffer {
  const { WITH_DB, PROTOCOL_41, TLS, TRANSACTIONS, SECURE, PLUGIN_AUTH } = CAPABLE;
  const chosen = (database === undefined ? 0 : WITH_DB) | (tls ? TLS : 0);
  const bytes = Buffer.alloc(32);
  bytes.writeUInt32LE(PROTOCOL_41 | TRANSACTIONS | SECURE | PLUGIN_AUTH | chosen);
  bytes.writeUInt32LE(MOST_PACKET_BYTES, 4);
  bytes[8] = UTF8MB4;
  return bytes;
}

const malformed = () => new TargetFailure('The server sent a packet that MySQL would not send');

/** Reads the fields of one packet. Every method throws TargetFailure at its end. */
class Fields {
  private at = 0;

  constructor(private readonly packet: Buffer) {}

  get isAtEnd(): boolean {
    return this.at >= this.packet.length;
  }

  bytes(size: number): Buffer {
    if (size > this.packet.length - this.at) throw malformed();
    this.at += size;
    return this.packet.subarray(this.at - size, this.at);
  }

  integer(size: 1 | 2 | 3 | 4): number {
    return this.bytes(size).readUIntLE(0, size);
  }

  /** Reads text up to the next NUL, or the end of the packet. */
  text(): string {
    const end = this.packet.indexOf(0, this.at);
    const found = this.bytes((end < 0 ? this.packet.length : end) - this.at).toString('utf8');
    if (end >= 0) this.at += 1;
    return found;
  }

  rest(): Buffer {
    return this.bytes(this.packet.length - this.at);
  }

  /** Reads a value that begins with its length; null for NULL. */
  value(): Buffer | null {
    const first = this.integer(1);
    if (first === FIRST_BYTE.FILE) return null;
    if (first < FIRST_BYTE.FILE) return this.bytes(first);
    // Longer ones do not fit into what is read.
    if (first === 0xfc) return this.bytes(this.integer(2));
    return this.bytes(first === 0xfd ? this.integer(3) : Number.MAX_SAFE_INTEGER);
  }
}

/** Returns an error packet as a failure with its text. */
function refusal(packet: Buffer): TargetFailure {
  const said = packet
    .subarray(3)
    .toString('utf8')
    .replace(/^#.{5}/s, '');
  const text = excerpt(said, MOST_QUOTED);
  return new TargetFailure(`The server replied: ${text === '' ? 'an error without a text' : text}`);
}

/**
 * Parses the first packet of a server (protocol 10).
 * @throws TargetFailure for anything else
 */
function readGreeting(packet: Buffer): Greeting {
  if (packet[0] !== 10) throw new TargetFailure('Expected a greeting of MySQL');
  const fields = new Fields(packet.subarray(1));
  const version = fields.text();
  fields.bytes(4);
  const start = Buffer.from(fields.bytes(8));
  fields.bytes(1);
  const low = fields.integer(2);
  fields.bytes(3);
  const capabilities = low + fields.integer(2) * 65_536;
  fields.bytes(11);
  const seed = Buffer.concat([start, fields.bytes(SEED_BYTES - start.length)]);
  fields.bytes(1);
  const method = fields.isAtEnd ? 'mysql_native_password' : fields.text();
  return { version, offersTls: (capabilities & CAPABLE.TLS) !== 0, seed, method };
}

/**
 * One connection of the client/server protocol of MySQL and MariaDB. Packets are read one at a time, so that a server cannot make this process work
 * more than the check's budget allows. Every method rejects with TargetFailure for an error of the server.
 */
export class MysqlSession {
  private reader: Reader;
  private sequence = 0;

  constructor(
    private socket: Socket,
    private readonly attempt: Attempt,
  ) {
    this.reader = new Reader(socket);
  }

  async greeting(): Promise<Greeting> {
    const packet = await this.next();
    this.attempt.answering = true;
    return readGreeting(packet);
  }

  /** Starts TLS. Later packets use the connection that `upgrade` returns. */
  async secure(login: MysqlLogin, upgrade: (socket: Socket) => Promise<Socket>): Promise<void> {
    this.send(settingsFor(login));
    const plain = this.reader.release('The server sent plain text before TLS');
    this.socket = await upgrade(plain);
    this.reader = new Reader(this.socket);
  }

  /** Answers the greeting, and authenticates by the server's method. */
  async logIn(greeting: Greeting, login: MysqlLogin): Promise<void> {
    const { username, password, database, tls } = login;
    let { method, seed } = greeting;
    const known = method === CACHING || method === 'mysql_native_password';
    const proof = known ? proofFor(method, password, seed) : Buffer.alloc(0);
    this.send(
      Buffer.concat([
        settingsFor(login),
        Buffer.from(`${username}\0`),
        Buffer.from([proof.length]),
        proof,
        Buffer.from(database === undefined ? '' : `${database}\0`),
        Buffer.from(`${known ? method : CACHING}\0`),
      ]),
    );
    let hasSwitched = false;
    let hasProved = false;
    for (;;) {
      const packet = await this.next();
      if (packet[0] === FIRST_BYTE.OK) return;
      if (packet[0] === FIRST_BYTE.EOF && !hasSwitched) {
        hasSwitched = true;
        const fields = new Fields(packet.subarray(1));
        method = fields.text();
        seed = Buffer.from(fields.rest().subarray(0, SEED_BYTES));
        this.send(proofFor(method, password, seed));
      } else if (packet[0] === FIRST_BYTE.MORE && method === CACHING && !hasProved) {
        hasProved = true;
        this.proveAgain(packet, password, tls);
      } else throw malformed();
    }
  }

  /** Runs a statement of our own, without a result. */
  async run(statement: string): Promise<void> {
    this.command(COMMAND.QUERY, statement);
    const packet = await this.next();
    if (packet[0] !== FIRST_BYTE.OK) throw malformed();
  }

  /** Runs one statement, and reads the first column of its first row. */
  async query(statement: string): Promise<QueryResult> {
    this.command(COMMAND.QUERY, statement);
    const packet = await this.next();
    if (packet[0] === FIRST_BYTE.OK) return { value: undefined };
    if (packet[0] === FIRST_BYTE.FILE) throw new TargetFailure('The query must not be LOAD DATA LOCAL');
    const columns = packet[0] === 0xfc ? new Fields(packet.subarray(1)).integer(2) : (packet[0] ?? 0);
    if (columns > MOST_COLUMNS) throw new TargetFailure(`The query returns more than ${MOST_COLUMNS} columns`);
    for (let column = 0; column < columns; column += 1) await this.next();
    await this.next();
    const row = await this.next();
    if (row[0] === FIRST_BYTE.EOF && row.length < 9) return { value: undefined };
    return { value: new Fields(row).value()?.toString('utf8') ?? null };
  }

  /** Ends the session. The verdict does not wait for it. */
  end(): void {
    this.command(COMMAND.QUIT, '');
  }

  /**
   * Handles the server's answer to the proof of `caching_sha2_password`. If the server needs the password itself, sends it over TLS. Without TLS, the
   * server would send a key to encrypt it with, which could be that of anybody on the way.
   * @throws TargetFailure without TLS
   */
  private proveAgain(packet: Buffer, password: string, tls: boolean): void {
    if (packet[1] === SHA2.KNOWN) return;
    if (packet[1] !== SHA2.PASSWORD) throw malformed();
    if (!tls)
      throw new TargetFailure('The server asks for the password itself: turn on TLS, so that nobody else gets it');
    this.send(Buffer.from(`${password}\0`));
  }

  private command(kind: number, text: string): void {
    this.sequence = 0;
    this.send(Buffer.concat([Buffer.from([kind]), Buffer.from(text)]));
  }

  private send(packet: Buffer): void {
    const head = Buffer.alloc(4);
    head.writeUIntLE(packet.length, 0, 3);
    head[3] = this.sequence;
    this.sequence = (this.sequence + 1) % 256;
    this.socket.write(Buffer.concat([head, packet]));
  }

  /**
   * Reads the next packet.
   * @throws TargetFailure for an error packet or another protocol
   */
  private async next(): Promise<Buffer> {
    this.attempt.budget.count('packets', MOST_PACKETS, PACKETS_CAUSE);
    const head = await this.reader.bytes(4);
    const size = head.readUIntLE(0, 3);
    // Tells another protocol from ours before its text is taken for a length.
    if (size === 0 || head[3] !== this.sequence) throw malformed();
    this.sequence = (this.sequence + 1) % 256;
    const packet = await this.reader.bytes(size);
    if (packet[0] === FIRST_BYTE.ERROR) throw refusal(packet);
    return packet;
  }
}
