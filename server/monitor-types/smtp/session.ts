import { isIPv6, type Socket } from 'node:net';
import { type Attempt, TargetFailure } from '@/server/monitor-types/probing/attempt';
import { Reader } from '@/server/monitor-types/probing/reader';
import { excerpt } from '../excerpt';
import { parseReply, type SmtpReply } from './reply';

const MOST_LINES = 1_000;
const LINES_CAUSE = `The server sent more than ${MOST_LINES} lines`;

/** Matches a line that is followed by another line of the same reply. */
const CONTINUED = /^[2-5]\d\d-/;

/** Returns a failure whose sentence quotes a response that is not SMTP. */
function malformed(line: string): TargetFailure {
  return new TargetFailure(`Expected an SMTP reply, got ${JSON.stringify(excerpt(line))}`);
}

/** Reads SMTP replies from one connection, one at a time. */
export class SmtpSession {
  /** The lines of the current reply. */
  private replyLines: string[] = [];
  private readonly reader: Reader;

  constructor(
    private readonly socket: Socket,
    private readonly attempt: Attempt,
  ) {
    this.reader = new Reader(socket);
  }

  /** Reads the server's greeting, which is sent without a command. */
  greeting(): Promise<SmtpReply> {
    this.attempt.exchange(null).body = this.replyLines;
    return this.reply();
  }

  /**
   * Reads the next reply.
   * @throws TargetFailure for anything else, and if the connection ends
   */
  async reply(): Promise<SmtpReply> {
    const lines: string[] = [];
    for (;;) {
      const line = await this.reader.line();
      this.attempt.budget.count('lines', MOST_LINES, LINES_CAUSE);
      lines.push(line);
      this.replyLines.push(line);
      if (CONTINUED.test(line)) continue;
      const reply = read(lines);
      if (reply) return reply;
    }
  }

  /** Sends a command and returns the reply. */
  ask(command: string): Promise<SmtpReply> {
    this.replyLines = [];
    this.attempt.exchange(command.replace(/ .*/s, '')).body = this.replyLines;
    this.send(command);
    return this.reply();
  }

  send(command: string): void {
    this.socket.write(`${command}\r\n`);
  }

  /** Sends this side's address in EHLO (RFC 5321 §4.1.3), which needs no resolvable name. */
  hello(): Promise<SmtpReply> {
    const address = this.socket.localAddress ?? '127.0.0.1';
    return this.ask(`EHLO [${isIPv6(address) ? `IPv6:${address}` : address}]`);
  }

  /**
   * Stops reading, so that TLS can take over the connection.
   * @throws TargetFailure if plain text has arrived after the last reply, because it could have been injected on the way (RFC 3207 §4.2)
   */
  release(): Socket {
    return this.reader.release('The server sent plain text after its reply to STARTTLS');
  }
}

function read(lines: string[]): SmtpReply | null {
  try {
    return parseReply(lines);
  } catch (error) {
    throw error instanceof SyntaxError ? malformed(error.message) : error;
  }
}
