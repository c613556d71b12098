import { Attempt, type ObserveOptions, TargetFailure } from '@/server/monitor-types/probing/attempt';
import { dial } from '@/server/monitor-types/probing/dial';
import type { Observation } from '@/server/monitor-types/probing/observation';
import { ClosedEarly, Reader } from '@/server/monitor-types/probing/reader';
import { excerpt } from '../excerpt';
import type { SshConfig } from './definition';
import { readAlgorithms } from './packet';

/** What the server sends in all: lines, its identification string and one packet. */
const MOST_BYTES = 64 * 1024;
/** The maximum number of lines before the identification string. */
const MOST_LINES = 100;
/** The maximum length of an identification string without its line break (RFC 4253 §4.2). */
const MOST_LENGTH = 253;
const MOST_SHOWN = 1_000;
const IDENTIFICATION = 'SSH-2.0-Upwatch';

/** The identification string of a server, such as "SSH-2.0-OpenSSH_9.2p1 Debian-2". */
export interface SshVersion {
  version: string;
}

/** Returns a failure whose sentence quotes the first line of a server that does not speak SSH, or that refuses: "Not allowed at this time". */
const unexpected = (line: string) =>
  new TargetFailure(`Expected the version of an SSH server, got ${JSON.stringify(excerpt(line))}`);

/** Whether an error means that the server closed the connection, with or without an end. */
const isClosed = (error: unknown) =>
  error instanceof ClosedEarly || (error instanceof Error && 'code' in error && error.code === 'ECONNRESET');

/**
 * Reads the identification string, after the lines that may precede it.
 * @throws TargetFailure if there is none, if it is too long, or if the server does not speak SSH 2
 */
async function readVersion(reader: Reader, lines: string[], signal: AbortSignal): Promise<string> {
  for (;;) {
    const line = await reader.line().catch((error) => {
      // Servers say why they refuse a connection, and close it. The end of the check closes it too.
      throw lines[0] === undefined || signal.aborted || !isClosed(error) ? error : unexpected(lines[0]);
    });
    if (lines.length < MOST_LINES) lines.push(line);
    else throw unexpected(lines[0] ?? line);
    if (!line.startsWith('SSH-')) continue;
    if (line.length > MOST_LENGTH || !/^SSH-\d+\.\d+-[^\0]/.test(line)) throw unexpected(line);
    // 1.99 is version 2 with support for older clients (§5.1).
    if (!/^SSH-(2\.0|1\.99)-/.test(line)) throw new TargetFailure(`The server does not speak SSH 2: ${excerpt(line)}`);
    return line;
  }
}

/**
 * Exchanges identification strings and reads the algorithms that the server offers, which shows that it would start a session. Does not go on with
 * the key exchange, so the server's key is not known. All within `timeoutMs`. Rejects only if the signal aborts.
 */
export async function observeSsh(config: SshConfig, options: ObserveOptions): Promise<Observation<SshVersion>> {
  const { host, port } = config;
  const attempt = new Attempt(config.timeoutMs, options);
  return attempt.observe(async () => {
    const socket = await dial({ host, port, family: 0, tls: null }, attempt);
    attempt.budget.answerOf(MOST_BYTES);
    const reader = new Reader(socket);
    const lines: string[] = [];
    attempt.exchange(IDENTIFICATION).body = lines;
    const from = attempt.now();
    socket.write(`${IDENTIFICATION}\r\n`);
    const version = await readVersion(reader, lines, attempt.signal);
    const answered = attempt.spent('firstByteMs', from);
    attempt.answering = true;
    const { keyExchanges, hostKeys } = await readAlgorithms(reader);
    attempt.spent('downloadMs', answered);
    lines.push(`Key exchange: ${excerpt(keyExchanges, MOST_SHOWN)}`, `Host keys: ${excerpt(hostKeys, MOST_SHOWN)}`);
    return { evidence: { version } };
  });
}
