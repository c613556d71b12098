import type { Socket } from 'node:net';
import { Finder } from '@/server/monitor-types/linear-search';
import { Attempt, type ObserveOptions, TargetFailure } from '@/server/monitor-types/probing/attempt';
import { dial } from '@/server/monitor-types/probing/dial';
import type { Observation } from '@/server/monitor-types/probing/observation';
import type { Exchange } from '@/server/monitor-types/probing/trace';
import type { TcpConfig } from '@/server/monitor-types/schema';
import { NOT_SAVED } from '@/server/monitor-types/verdict';
import { Collected, connectionClosed, type DialTarget } from '@/server/platform/net';
import { MASK } from '@/server/platform/secrets';
import { toTrust } from '../config/tls-trust';
import { excerpt } from '../excerpt';

/** The maximum number of bytes of a response that are searched for the expected text. */
const MOST_READ_BYTES = 64 * 1024;

function send(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve, reject) => socket.write(text, (error) => (error ? reject(error) : resolve())));
}

function inWords({ size, bytes }: Collected, isSaved: boolean): string {
  if (size === 0) return 'nothing';
  return isSaved ? JSON.stringify(excerpt(bytes.subarray(0, 400).toString('utf8'))) : NOT_SAVED;
}

/**
 * Reads until `expected` arrives.
 * @throws TargetFailure with the received text if the peer closes the connection or sends too much before
 */
function receive(
  socket: Socket,
  expected: string,
  exchange: Exchange,
  attempt: Attempt,
  isSaved: boolean,
): Promise<void> {
  const finder = new Finder(Buffer.from(expected).toString('latin1'));
  const from = attempt.now();
  const seen = new Collected(MOST_READ_BYTES);
  return new Promise((resolve, reject) => {
    const miss = (why: string) => {
      reject(new TargetFailure(`Expected ${JSON.stringify(expected)}, got ${inWords(seen, isSaved)} ${why}`));
    };
    socket.on('data', (part: Buffer) => {
      if (seen.size === 0) attempt.spent('firstByteMs', from);
      attempt.answering = true;
      const isFound = finder.feed(part.subarray(0, MOST_READ_BYTES - seen.size).toString('latin1'));
      seen.add(part);
      exchange.body = seen.bytes;
      if (isFound) resolve();
      else if (seen.size === MOST_READ_BYTES) miss('and more, in its first 64 KiB');
    });
    socket.once('end', () => miss('before the connection was closed'));
    socket.once('error', reject);
    socket.once('close', () => reject(connectionClosed()));
  });
}

export function tcpTarget({ host, port, tls, ...trust }: TcpConfig): DialTarget {
  return { host, port, family: 0, tls: tls ? toTrust(trust) : null };
}

/** Connects, optionally over TLS; sends `send`; reads until `expect` arrives. All within `timeoutMs`. Rejects only if the signal aborts. */
export async function observeTcp(config: TcpConfig, options: ObserveOptions): Promise<Observation> {
  const attempt = new Attempt(config.timeoutMs, options);
  return attempt.observe(async () => {
    const socket = await dial(tcpTarget(config), attempt);
    const exchange = attempt.exchange(config.send === undefined ? null : MASK);
    if (config.send !== undefined) await send(socket, config.send);
    if (config.expect !== undefined)
      await receive(socket, config.expect, exchange, attempt, config.saveResponseBody ?? true);
    return {};
  });
}
