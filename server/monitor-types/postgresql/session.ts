import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { type Attempt, TargetFailure } from '@/server/monitor-types/probing/attempt';
import { Reader } from '@/server/monitor-types/probing/reader';
import { CostlyTurns } from '@/server/platform/net';
import { excerpt } from '../excerpt';
import type { QueryResult } from '../sql/query';
import { SCRAM, ScramClient } from './scram';

const PROTOCOL_3 = 196_608;
const MOST_MESSAGES = 1_000;
const MESSAGES_CAUSE = `The server sent more than ${MOST_MESSAGES} messages`;
const MOST_QUOTED = 200;

/** The kinds of authentication requests. */
const AUTH = { OK: 0, CLEARTEXT: 3, MD5: 5, SASL: 10, SASL_CONTINUE: 11, SASL_FINAL: 12 };

const int16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

/** Encodes a message of the client. Texts end with NUL. `kind` is a letter, or empty for the first message. */
function encode(kind: string, ...parts: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)));
  return Buffer.concat([Buffer.from(kind), int32(body.length + 4), body]);
}

/** The kinds of messages that a server may send until it is ready, and after that. Those of replication and of functions are left out. */
const OF_LOGIN = 'RSKNZE';
const OF_QUERY = 'SNZEDCTtn123sIAGHW';

interface Message {
  kind: string;
  body: Buffer;
}

/** Returns the fields of an error by their letters. */
function errorFields(body: Buffer): Map<string, string> {
  const parts = body.toString('utf8').split('\0', 32);
  return new Map(parts.map((part) => [part.slice(0, 1), part.slice(1)]));
}

const md5 = (...parts: (string | Buffer)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('md5')).digest('hex');

function unexpected(kind: string): TargetFailure {
  return new TargetFailure(`Expected a reply of PostgreSQL, got a message of the kind ${JSON.stringify(kind)}`);
}

/** Returns the first column of a row; null for NULL, and for a row without columns. */
function firstColumn(body: Buffer): string | null {
  if (body.length === 2 && body.readInt16BE(0) === 0) return null;
  const size = body.length < 6 ? -2 : body.readInt32BE(2);
  if (size === -1) return null;
  if (size < 0 || size > body.length - 6) {
    throw new TargetFailure('The server sent a row that PostgreSQL would not send');
  }
  return body.subarray(6, 6 + size).toString('utf8');
}

/**
 * One connection of the frontend/backend protocol, version 3. Messages are read one at a time, so that a server cannot make this process work more
 * than the check's budget allows. Every method rejects with TargetFailure for an error of the server.
 */
export class PostgresqlSession {
  private readonly reader: Reader;

  constructor(
    private readonly socket: Socket,
    private readonly attempt: Attempt,
  ) {
    this.reader = new Reader(socket);
  }

  async logIn({ username, database, password }: { username: string; database: string; password: string | undefined }) {
    const settings = { user: username, database, application_name: 'Upwatch', client_encoding: 'UTF8' };
    this.socket.write(encode('', int32(PROTOCOL_3), ...Object.entries(settings).flat(), ''));
    let scram: ScramClient | null = null;
    let isAccepted = false;
    for (;;) {
      const message = await this.next(OF_LOGIN);
      if (message.kind === 'Z' && isAccepted) return;
      if (message.kind !== 'R') continue;
      const { body } = message;
      const request = body.length < 4 ? -1 : body.readInt32BE(0);
      if (request === AUTH.OK) {
        isAccepted = true;
        continue;
      }
      if (password === undefined) throw new TargetFailure('The server asks for a password, and the monitor has none');
      const data = body.subarray(4);
      if (request === AUTH.CLEARTEXT) this.send('p', password);
      else if (request === AUTH.MD5 && data.length === 4) {
        this.send('p', `md5${md5(md5(password, username), data)}`);
      } else if (request === AUTH.SASL) {
        if (scram || !data.toString('latin1').split('\0', 16).includes(SCRAM)) throw unsupported();
        scram = new ScramClient(password, new CostlyTurns(this.attempt.asker));
        const first = Buffer.from(scram.first());
        this.send('p', SCRAM, int32(first.length), first);
      } else if (request === AUTH.SASL_CONTINUE && scram) {
        this.send('p', Buffer.from(await scram.final(data.toString('utf8'))));
      } else if (request === AUTH.SASL_FINAL && scram) scram.verify(data.toString('utf8'));
      else throw unsupported();
    }
  }

  /** Runs statements of our own, without results. */
  async run(statements: string): Promise<void> {
    this.send('Q', statements);
    await this.untilReady();
  }

  /**
   * Runs one statement and reads its first row at most. The extended protocol accepts no second statement.
   * @returns the first column of that row
   */
  query(statement: string): Promise<QueryResult> {
    this.socket.cork();
    this.send('P', '', statement, int16(0));
    this.send('B', '', '', int16(0), int16(0), int16(0));
    this.send('E', '', int32(1));
    this.send('S');
    this.socket.uncork();
    return this.untilReady();
  }

  /** Ends the session, so that the server logs no lost connection. The verdict does not wait for it. */
  end(): void {
    this.send('X');
  }

  private send(kind: string, ...parts: (string | Buffer)[]): void {
    this.socket.write(encode(kind, ...parts));
  }

  private async untilReady(): Promise<QueryResult> {
    let value: QueryResult['value'];
    for (;;) {
      const message = await this.next(OF_QUERY);
      if (message.kind === 'Z') return { value };
      if (message.kind === 'D' && value === undefined) value = firstColumn(message.body);
      // COPY needs an exchange of its own.
      else if ('GHW'.includes(message.kind)) throw new TargetFailure('The query must not be COPY');
    }
  }

  /**
   * Reads the next message.
   * @throws TargetFailure for an error message, or a kind that is not in `kinds`
   */
  private async next(kinds: string): Promise<Message> {
    this.attempt.budget.count('messages', MOST_MESSAGES, MESSAGES_CAUSE);
    const head = await this.reader.bytes(5);
    this.attempt.answering = true;
    const kind = head.toString('latin1', 0, 1);
    const size = head.readUInt32BE(1) - 4;
    if (!kinds.includes(kind) || size < 0) throw unexpected(kind);
    const message = { kind, body: await this.reader.bytes(size) };
    if (message.kind === 'E') throw refusal(errorFields(message.body));
    return message;
  }
}

const unsupported = () =>
  new TargetFailure(
    'The server asks for a kind of authentication that Upwatch does not support. Use a password (SCRAM or MD5)',
  );

function refusal(fields: Map<string, string>): TargetFailure {
  const text = excerpt(fields.get('M') ?? '', MOST_QUOTED);
  return new TargetFailure(`The server replied: ${text === '' ? 'an error without a text' : text}`);
}
