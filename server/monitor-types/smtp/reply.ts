import { excerpt } from '../excerpt';

/** A reply of a mail server: its code, and its lines without the code. */
export interface SmtpReply {
  code: number;
  lines: string[];
}

const LINE = /^([2-5]\d\d)(?:([ -])(.*))?$/s;

/**
 * Joins the lines of a reply (RFC 5321 §4.2.1). Returns null while lines are missing.
 * @throws SyntaxError if the lines are no reply
 */
export function parseReply(lines: string[]): SmtpReply | null {
  const texts: string[] = [];
  let first: string | undefined;
  for (const line of lines) {
    const [, code, separator, text = ''] = LINE.exec(line) ?? [];
    first ??= code;
    if (code === undefined || code !== first) throw new SyntaxError(line);
    texts.push(text);
    if (separator !== '-') return { code: Number(code), lines: texts };
  }
  return null;
}

/** Returns a reply in one line of at most 200 characters: "554 go away". */
export function summary({ code, lines }: SmtpReply): string {
  return excerpt(`${code} ${lines.join(' ')}`.trim(), 200);
}
