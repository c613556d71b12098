import { isIPv6 } from 'node:net';
import { TargetFailure } from '@/server/monitor-types/probing/attempt';
import { LineSession } from '@/server/monitor-types/probing/line-session';
import { excerpt } from '../excerpt';
import { parseReply, type SmtpReply } from './reply';

/** Matches a line that is followed by another line of the same reply. */
const CONTINUED = /^[2-5]\d\d-/;

/** Returns a failure whose sentence quotes a response that is not SMTP. */
function malformed(line: string): TargetFailure {
  return new TargetFailure(`Expected an SMTP reply, got ${JSON.stringify(excerpt(line))}`);
}

/** Reads SMTP replies from one connection, one at a time. */
export class SmtpSession extends LineSession {
  /** Reads the server's greeting, which is sent without a command. */
  greeting(): Promise<SmtpReply> {
    this.begin(null);
    return this.reply();
  }

  /**
   * Reads the next reply.
   * @throws TargetFailure for anything else, and if the connection ends
   */
  async reply(): Promise<SmtpReply> {
    const lines: string[] = [];
    for (;;) {
      const line = await this.line();
      lines.push(line);
      if (CONTINUED.test(line)) continue;
      const reply = read(lines);
      if (reply) return reply;
    }
  }

  /** Sends a command and returns the reply. */
  ask(command: string): Promise<SmtpReply> {
    this.begin(command.replace(/ .*/s, ''));
    this.send(command);
    return this.reply();
  }

  /** Sends this side's address in EHLO (RFC 5321 §4.1.3), which needs no resolvable name. */
  hello(): Promise<SmtpReply> {
    const address = this.localAddress;
    return this.ask(`EHLO [${isIPv6(address) ? `IPv6:${address}` : address}]`);
  }
}

function read(lines: string[]): SmtpReply | null {
  try {
    return parseReply(lines);
  } catch (error) {
    throw error instanceof SyntaxError ? malformed(error.message) : error;
  }
}
