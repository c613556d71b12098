import type { Socket } from 'node:net';
import type { TlsTrust } from '@/server/platform/net';
import type { Attempt } from './attempt';
import { startTls } from './dial';
import { Reader } from './reader';

const MOST_LINES = 1_000;
const LINES_CAUSE = `The server sent more than ${MOST_LINES} lines`;

/** One connection of a protocol of lines (SMTP, IMAP, POP3). Notes as evidence what is asked and each line that is read. */
export class LineSession {
  private readonly reader: Reader;
  /** The lines of the current response. */
  private seen: string[] = [];

  constructor(
    private readonly socket: Socket,
    private readonly attempt: Attempt,
  ) {
    this.reader = new Reader(socket);
  }

  get localAddress(): string {
    return this.socket.localAddress ?? '127.0.0.1';
  }

  /**
   * Begins an exchange: the lines that are read from now on are its response.
   * @param shown the command for the evidence, without secrets; null for a greeting
   */
  begin(shown: string | null): void {
    this.seen = [];
    this.attempt.exchange(shown).body = this.seen;
  }

  send(command: string): void {
    this.socket.write(`${command}\r\n`);
  }

  /** Reads the next line. Rejects as `Reader` does. */
  async line(): Promise<string> {
    const line = await this.reader.line();
    this.attempt.answering = true;
    this.attempt.budget.count('lines', MOST_LINES, LINES_CAUSE);
    this.seen.push(line);
    return line;
  }

  /**
   * Upgrades the connection to TLS, after the server has accepted `command`. The returned socket is for a new session.
   * @throws TargetFailure if plain text has arrived already, because it could have been injected on the way (RFC 3207 §4.2)
   */
  encrypt(command: string, host: string, trust: TlsTrust): Promise<Socket> {
    const socket = this.reader.release(`The server sent plain text after its reply to ${command}`);
    return startTls(socket, host, this.attempt, trust);
  }
}
