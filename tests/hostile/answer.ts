import type { Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import type { Random } from './random';

/** The server's next step on a connection. */
export type Step =
  | Buffer
  | string
  /** Sends these bytes repeatedly, as fast as the client reads them. */
  | { flood: Buffer | string }
  /** Sends these bytes repeatedly, some at a time. */
  | { drip: Buffer | string }
  | { wait: number }
  | 'end'
  | 'reset';

/** The expected verdict: `either` if both are right; `unknown` never is. */
export type Expected = 'up' | 'down' | 'either';

/** How a server responds to any request. */
export interface Answer {
  name: string;
  /** The verdict for a monitor, and for a message to a channel (up: accepted). */
  expected: { monitor: Expected; channel: Expected };
  /** The server speaks TLS under it. */
  tls?: SecureContextOptions & { ALPNProtocols?: string[] };
  /** Its steps from the start; `converse` if they depend on what it receives. */
  steps?: Step[];
  /** Its steps after the first data received. */
  replies?: Step[];
  converse?: (socket: Socket) => void;
  /** Its answers to a DNS query, over UDP and TCP. */
  datagrams?: (query: Buffer) => Buffer[];
  /** Positions of sent bytes that are changed on the way, including the handshake's. */
  damage?: Map<number, number>;
}

/** Creates an answer of one kind, with random details. */
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

/** Performs the steps on a connection, in order. */
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

/** With TLS, a connection ends without a reset. */
function tear(socket: Socket): void {
  if ('encrypted' in socket) socket.destroy();
  else socket.resetAndDestroy();
}
