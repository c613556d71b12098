import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import { type DecodedPacket, decode, encode, RECURSION_DESIRED, type RecordType } from 'dns-packet';
import { codeOf, DnsFailure } from './dns-failure';
import { prepareMessage } from './prepare-message';
import type { ServerAddress } from './server-address';
import { UdpChannel } from './udp-channel';

export interface Question {
  name: string;
  type: RecordType;
}

export type Message = DecodedPacket & { rcode: string };

const RCODES: Record<string, string> = {
  NXDOMAIN: 'ENOTFOUND',
  SERVFAIL: 'ESERVFAIL',
  REFUSED: 'EREFUSED',
  NOTIMP: 'ENOTIMP',
  FORMERR: 'EFORMERR',
};
/** The system has no route to this server, which says nothing about others. */
const UNREACHED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
  'EINVAL',
]);

/** The maximum number of unrelated datagrams that are ignored; more are a flood. */
const MOST_STRAY = 100;

/**
 * Verifies that a name has labels of 1 to 63 bytes, and 253 bytes in all (RFC 1035 §2.3.4). The root is "."
 * @throws DnsFailure EBADNAME
 */
function assertName(name: string): void {
  const isLabel = (label: string) => label !== '' && Buffer.byteLength(label) <= 63;
  if (name !== '.' && (Buffer.byteLength(name) > 253 || !name.split('.').every(isLabel)))
    throw new DnsFailure('EBADNAME');
}

const sameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Runs the step that reads a message, at once or when its team may use this thread. */
export type InTurn = (step: () => void) => Promise<void> | void;

interface Asked {
  query: Buffer;
  question: Question;
  inTurn: InTurn;
}

/**
 * Parses a datagram. Returns null for one that does not answer the query, such as a forged one.
 * @throws DnsFailure EBADRESP if it cannot be decoded
 */
function read(bytes: Buffer, { query, question: { name, type } }: Asked): Message | null {
  if (bytes.length < 12 || bytes.readUInt16BE(0) !== query.readUInt16BE(0)) return null;
  let message: Message;
  try {
    // A query ends with its type and class.
    prepareMessage(bytes, query.readUInt16BE(query.length - 4));
    message = decode(bytes) as Message;
  } catch (error) {
    throw new DnsFailure('EBADRESP', { cause: error });
  }
  const [question] = message.questions ?? [];
  // Some servers omit the question in an error.
  const isOurs = question ? question.type === type && sameName(question.name, name) : message.rcode !== 'NOERROR';
  return message.type === 'response' && isOurs ? message : null;
}

/** Returns the owners of the records in a message, and the targets of its aliases. */
export function namesIn({ answers = [] }: Message): string[] {
  return answers.flatMap((answer) => (answer.type === 'CNAME' ? [answer.name, answer.data] : [answer.name]));
}

const toFailure = (error: unknown) =>
  UNREACHED.has(codeOf(error)) ? new DnsFailure('ECONNREFUSED', { cause: error }) : error;

/** Sends a query over UDP. A forged response has to guess its port and ID (RFC 5452). */
function overUdp(server: ServerAddress, asked: Asked, signal: AbortSignal): Promise<Message> {
  const { query, inTurn } = asked;
  return new Promise((resolve, reject) => {
    const channel = UdpChannel.take(server);
    const stop = () => fail(signal.reason);
    let isOver = false;
    const fail = (error: unknown) => {
      isOver = true;
      signal.removeEventListener('abort', stop);
      channel.closeAll();
      reject(toFailure(error));
    };
    let stray = 0;
    const receive = (bytes: Buffer) => {
      if (isOver) return;
      try {
        const message = read(bytes, asked);
        if (!message) {
          stray += 1;
          if (stray > MOST_STRAY) throw new DnsFailure('EBADRESP');
          return;
        }
        isOver = true;
        signal.removeEventListener('abort', stop);
        channel.release();
        resolve(message);
      } catch (error) {
        fail(error);
      }
    };
    let isHeld = false;
    const onMessage = async (bytes: Buffer) => {
      // Keeps at most one datagram that waits to be read.
      if (isHeld) return;
      isHeld = true;
      await (async () => inTurn(() => receive(bytes)))().catch(fail);
      isHeld = false;
    };
    signal.addEventListener('abort', stop, { once: true });
    channel.send(query, { onMessage, onError: fail });
  });
}

/** Sends a query over TCP, because the response did not fit into a datagram (RFC 7766). */
function overTcp(server: ServerAddress, asked: Asked, signal: AbortSignal): Promise<Message> {
  const { query, inTurn } = asked;
  return new Promise((resolve, reject) => {
    const socket = connect({ host: server.address, port: server.port });
    const stop = () => fail(signal.reason);
    const end = () => {
      signal.removeEventListener('abort', stop);
      socket.destroy();
    };
    const fail = (error: unknown) => {
      end();
      reject(toFailure(error));
    };
    const parts: Buffer[] = [];
    let size = 0;
    signal.addEventListener('abort', stop, { once: true });
    socket.on('error', fail);
    socket.once('close', () => fail(new DnsFailure('EBADRESP')));
    socket.once('connect', () => {
      const prefix = Buffer.alloc(2);
      prefix.writeUInt16BE(query.length);
      socket.write(Buffer.concat([prefix, query]));
    });
    socket.on('data', (part) => {
      parts.push(part);
      size += part.length;
      if (size < 2) return;
      if (parts[0] && parts[0].length < 2) parts.splice(0, parts.length, Buffer.concat(parts));
      const length = parts[0]?.readUInt16BE(0) ?? 0;
      if (size < 2 + length) return;
      // The message is complete, and may wait until it is read.
      for (const event of ['data', 'close']) socket.removeAllListeners(event);
      socket.pause();
      const bytes = Buffer.concat(parts).subarray(2, 2 + length);
      const receive = () => {
        const message = read(bytes, asked);
        if (!message) throw new DnsFailure('EBADRESP');
        end();
        resolve(message);
      };
      (async () => inTurn(receive))().catch(fail);
    });
  });
}

/**
 * Sends one query to one name server (RFC 1035), over UDP and, if the answer is truncated, over TCP. Waits for a response until `signal` aborts.
 * @throws DnsFailure for any response code but NOERROR; the socket's error; the signal's reason
 */
export async function exchange(
  server: ServerAddress,
  question: Question,
  signal: AbortSignal,
  inTurn: InTurn = (step) => step(),
): Promise<Message> {
  assertName(question.name);
  signal.throwIfAborted();
  const query = encode({
    type: 'query',
    id: randomInt(0x10000),
    flags: RECURSION_DESIRED,
    questions: [question],
  });
  const asked = { query, question, inTurn };
  let message = await overUdp(server, asked, signal);
  if (message.flag_tc) message = await overTcp(server, asked, signal);
  if (message.rcode !== 'NOERROR')
    throw new DnsFailure(RCODES[message.rcode] ?? 'EBADRESP', { names: namesIn(message) });
  return message;
}
