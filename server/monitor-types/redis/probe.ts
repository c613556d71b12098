import type { Socket } from 'node:net';
import { Attempt, type ObserveOptions, TargetFailure } from '@/server/monitor-types/probing/attempt';
import { dial } from '@/server/monitor-types/probing/dial';
import type { Observation } from '@/server/monitor-types/probing/observation';
import { Reader } from '@/server/monitor-types/probing/reader';
import { MASK } from '@/server/platform/secrets';
import { loginTarget } from '../config/login';
import { excerpt } from '../excerpt';
import type { RedisConfig } from './definition';

/** The maximum size of all replies: one line each, and the answer to ROLE, which lists replicas. */
const MOST_BYTES = 64 * 1024;
const MOST_QUOTED = 200;

/** The server's role in replication, in its own words. */
export interface RedisRole {
  /** "master", "slave" or "sentinel"; null if it was not asked. */
  role: string | null;
}

/** Encodes a command as an array of bulk strings (RESP, redis.io/docs/latest/develop/reference/protocol-spec). */
function encode(parts: string[]): string {
  return `*${parts.length}\r\n${parts.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join('')}`;
}

/** One connection to a server. Replies are read one at a time. */
class RedisSession {
  private readonly reader: Reader;
  /** The lines of the current reply. */
  private lines: string[] = [];

  constructor(
    private readonly socket: Socket,
    private readonly attempt: Attempt,
  ) {
    this.reader = new Reader(socket);
  }

  /**
   * Sends a command and returns the first line of its reply.
   * @param shown the command for the evidence, without secrets
   * @throws TargetFailure for an error reply, with its text
   */
  async ask(parts: string[], shown: string): Promise<string> {
    this.lines = [];
    this.attempt.exchange(shown).body = this.lines;
    this.socket.write(encode(parts));
    const line = await this.reader.line();
    this.attempt.answering = true;
    this.lines.push(line);
    if (line.startsWith('-')) throw refusal(parts[0], line.slice(1));
    return line;
  }

  /** Sends ROLE and returns the first element of its reply, which must be an array that begins with a bulk string. */
  async role(): Promise<string> {
    const header = await this.ask(['ROLE'], 'ROLE');
    const [, size = ''] = /^\$(\d{1,2})$/.exec(header.startsWith('*') ? await this.reader.line() : '') ?? [];
    if (size === '') throw unexpected('ROLE', header);
    const role = (await this.reader.bytes(Number(size))).toString('latin1');
    this.lines.push(role);
    return role;
  }
}

/** Returns an error reply as a failure, without arguments that some servers repeat, because a password is among them. */
function refusal(command: string | undefined, said: string): TargetFailure {
  const reason = excerpt(said.replace(/,? with args .*/s, ''), MOST_QUOTED);
  return new TargetFailure(`The server rejected ${command}: ${reason || 'no reason given'}`);
}

function unexpected(command: string, line: string): TargetFailure {
  return new TargetFailure(`Expected a reply of Redis to ${command}, got ${JSON.stringify(excerpt(line))}`);
}

async function converse(config: RedisConfig, attempt: Attempt): Promise<RedisRole> {
  const { username, password } = config;
  const session = new RedisSession(await dial(loginTarget(config), attempt), attempt);
  attempt.budget.answerOf(MOST_BYTES);
  const from = attempt.now();
  if (password !== undefined) {
    const names = username === undefined ? [] : [username];
    const line = await session.ask(['AUTH', ...names, password], ['AUTH', ...names, MASK].join(' '));
    if (line !== '+OK') throw unexpected('AUTH', line);
  }
  const line = await session.ask(['PING'], 'PING');
  attempt.spent('firstByteMs', from);
  if (line !== '+PONG') throw unexpected('PING', line);
  return { role: config.role === 'any' ? null : await session.role() };
}

/**
 * Authenticates, sends PING and, if a role is expected, ROLE. `evaluate` compares the role. All within `timeoutMs`. Rejects only if the signal
 * aborts.
 */
export async function observeRedis(config: RedisConfig, options: ObserveOptions): Promise<Observation<RedisRole>> {
  const attempt = new Attempt(config.timeoutMs, options);
  return attempt.observe(async () => ({ evidence: await converse(config, attempt) }));
}
