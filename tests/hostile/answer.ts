import type { Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import type { Random } from './random';

/** What a server does next on a connection. */
export type Step =
  | Buffer
  | string
  /** Sends these bytes again and again, as fast as they are taken. */
  | { flood: Buffer | string }
  /** Sends these bytes again and again, some at a time. */
  | { drip: Buffer | string }
  | { wait: number }
  | 'end'
  | 'reset';

/** What must come of an answer: `either` where both are right, and `unknown` never is. */
export type Expected = 'up' | 'down' | 'either';

/** How a server responds to any request. */
export interface Answer {
  name: string;
  /** Of a monitor, and of a message to a channel (up: it counts as accepted). */
  expected: { monitor: Expected; channel: Expected };
  /** The server speaks TLS under it. */
  tls?: SecureContextOptions & { ALPNProtocols?: string[] };
  /** What it does from the start; `converse` where it looks at what comes. */
  steps?: Step[];
  /** What it does once something came. */
  replies?: Step[];
  converse?: (socket: Socket) => void;
  /** What it says over UDP, and over TCP, to a question of DNS. */
  datagrams?: (query: Buffer) => Buffer[];
  /** Bytes of what is sent that change on the way, by their position: also those of a handshake. */
  damage?: Map<number, number>;
}

/** Makes an answer of one kind, its details by chance. */
export type Family = (random: Random) => Answer;

export const always = (expected: Expected) => ({ monitor: expected, channel: expected });

function flood(socket: Socket, bytes: Buffer): void {
  const many = Buffer.concat(Array<Buffer>(Math.ceil(32_768 / bytes.length)).fill(bytes));
  const write = () => {
    while (!socket.destroyed && socket.write(many));
  };
  socket.on('drain', write);
  write();
}

function drip(socket: Socket, bytes: Buffer): void {
  let at = 0;
  const timer = setInterval(() => {
    const part = bytes.subarray(at % bytes.length, (at % bytes.length) + 3);
    at += 3;
    socket.write(part);
  }, 15);
  socket.once('close', () => clearInterval(timer));
}

/** Does the steps on a connection, one after the other. */
export function perform(socket: Socket, [step, ...rest]: Step[]): void {
  if (step === undefined || socket.destroyed) return;
  if (step === 'end') socket.end();
  else if (step === 'reset') tear(socket);
  else if (typeof step === 'string' || Buffer.isBuffer(step)) {
    socket.write(step);
    perform(socket, rest);
  } else if ('flood' in step) flood(socket, Buffer.from(step.flood as string));
  else if ('drip' in step) drip(socket, Buffer.from(step.drip as string));
  else setTimeout(() => perform(socket, rest), step.wait);
}

/** Under TLS, a connection is torn down without a reset. */
function tear(socket: Socket): void {
  if ('encrypted' in socket) socket.destroy();
  else socket.resetAndDestroy();
}
