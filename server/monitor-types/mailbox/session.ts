import { TargetFailure } from '@/server/monitor-types/probing/attempt';
import type { LineSession } from '@/server/monitor-types/probing/line-session';
import { excerpt } from '../excerpt';

const MOST_QUOTED = 200;

/** A session of one of the protocols. Methods reject with TargetFailure if the server refuses or does not speak the protocol. */
export interface MailboxSession {
  /** The command that asks for TLS. */
  readonly startTls: string;
  greet(): Promise<void>;
  ask(command: string): Promise<void>;
  logIn(username: string, password: string): Promise<void>;
  /** Ends the session. The verdict does not wait for it. */
  end(): void;
}

/** Returns the verb of a command, without its arguments, because a password is among them. */
const verbOf = (command: string) => command.replace(/ .*/s, '');

const refused = (what: string, said: string) =>
  new TargetFailure(`The server rejected ${what}: ${excerpt(said.trim(), MOST_QUOTED) || 'no reason given'}`);

const unexpected = (protocol: string, line: string) =>
  new TargetFailure(`Expected a response of ${protocol}, got ${JSON.stringify(excerpt(line))}`);

/** Returns a text as a quoted string (RFC 9051 §4.3). */
const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/** Whether a text can be a quoted string. Others, such as names in UTF-8, are sent as literals (RFC 3501 §4.3). */
const isQuotable = (text: string) => /^[ -~]*$/.test(text);

/** IMAP (RFC 9051): a command has a tag, and its response ends with the line of that tag. */
export class ImapSession implements MailboxSession {
  readonly startTls = 'STARTTLS';
  private commands = 0;

  constructor(private readonly lines: LineSession) {}

  async greet(): Promise<void> {
    this.lines.begin(null);
    const line = await this.lines.line();
    const [, status, text = ''] = /^\* (OK|PREAUTH|BYE)\b(.*)$/is.exec(line) ?? [];
    if (status === undefined) throw unexpected('IMAP', line);
    if (status.toUpperCase() === 'BYE') throw refused('the connection', text);
  }

  logIn(username: string, password: string): Promise<void> {
    return this.ask('LOGIN', username, password);
  }

  end(): void {
    this.lines.send('z LOGOUT');
  }

  async ask(command: string, ...values: string[]): Promise<void> {
    this.commands += 1;
    const tag = `a${this.commands}`;
    this.lines.begin(command);
    let line = `${tag} ${command}`;
    for (const value of values) {
      if (isQuotable(value)) line += ` ${quoted(value)}`;
      else {
        this.lines.send(`${line} {${Buffer.byteLength(value)}}`);
        await this.response(tag, command, true);
        line = value;
      }
    }
    this.lines.send(line);
    await this.response(tag, command);
  }

  /** Waits for the end of the response, or until the server is ready for a literal. */
  private async response(tag: string, command: string, forLiteral = false): Promise<void> {
    for (;;) {
      const line = await this.lines.line();
      if (forLiteral && line.startsWith('+')) return;
      const [, from, status, text = ''] = /^(\S+) (OK|NO|BAD|BYE)\b(.*)$/is.exec(line) ?? [];
      if (from === tag && status?.toUpperCase() === 'OK' && !forLiteral) return;
      if (from === tag || (from === '*' && status?.toUpperCase() === 'BYE')) throw refused(command, text);
      if (!line.startsWith('* ')) throw unexpected('IMAP', line);
    }
  }
}

/** POP3 (RFC 1939): a response to one of these commands is one line. */
export class Pop3Session implements MailboxSession {
  readonly startTls = 'STLS';

  constructor(private readonly lines: LineSession) {}

  async greet(): Promise<void> {
    this.lines.begin(null);
    await this.response('the connection');
  }

  async logIn(username: string, password: string): Promise<void> {
    await this.ask(`USER ${username}`);
    await this.ask(`PASS ${password}`);
  }

  end(): void {
    this.lines.send('QUIT');
  }

  ask(command: string): Promise<void> {
    this.lines.begin(verbOf(command));
    this.lines.send(command);
    return this.response(verbOf(command));
  }

  private async response(to: string): Promise<void> {
    const line = await this.lines.line();
    const [, status, text = ''] = /^(\+OK|-ERR)(?: (.*))?$/s.exec(line) ?? [];
    if (status === undefined) throw unexpected('POP3', line);
    if (status !== '+OK') throw refused(to, text);
  }
}
