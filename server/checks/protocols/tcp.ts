import type { Socket } from 'node:net';
import type { TcpConfig } from '@/server/monitors/schema';
import type { Observation } from '../types';
import { Attempt, TargetFailure } from './attempt';
import { dial } from './dial';

/** How much of an answer is searched for the expected text. */
const MOST_READ_BYTES = 64 * 1024;

function send(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve, reject) => socket.write(text, (error) => (error ? reject(error) : resolve())));
}

function excerpt(seen: Buffer): string {
  const text = JSON.stringify(seen.subarray(0, 200).toString('utf8').slice(0, 80));
  return seen.length === 0 ? 'nothing' : text;
}

/** Reads until `expected` has come in. What came instead is told when the other side closes or the time is over. */
function receive(socket: Socket, expected: string, attempt: Attempt): Promise<void> {
  const wanted = Buffer.from(expected);
  const from = performance.now();
  let seen: Buffer = Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    const miss = (why: string) => {
      reject(new TargetFailure(`Expected ${JSON.stringify(expected)}, got ${excerpt(seen)} ${why}`));
    };
    socket.on('data', (part: Buffer) => {
      if (seen.length === 0) attempt.spent('firstByteMs', from);
      attempt.answering = true;
      seen = Buffer.concat([seen, part]);
      if (seen.includes(wanted)) resolve();
      else if (seen.length > MOST_READ_BYTES) miss('and more, in its first 64 KiB');
    });
    socket.once('end', () => miss('before the connection was closed'));
    socket.once('error', reject);
    socket.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  });
}

/**
 * Connects, over TLS where asked; sends `send`; reads until `expect` came in. All within `timeoutMs`.
 * Rejects only where `signal` aborts.
 */
export async function observeTcp(config: TcpConfig, signal: AbortSignal): Promise<Observation> {
  const attempt = new Attempt(config.timeoutMs, signal);
  return attempt.observe(async () => {
    const { host, port } = config;
    const socket = await dial({ host, port, family: 0, tls: config.tls ? { verify: true } : null }, attempt);
    try {
      if (config.send !== undefined) await send(socket, config.send);
      if (config.expect !== undefined) await receive(socket, config.expect, attempt);
    } finally {
      socket.destroySoon();
    }
    return {};
  });
}
