import { createHash } from 'node:crypto';
import type { MonitorType } from '@/server/monitor-types/schema';
import { NotCarriedOver } from '../draft';

/** A monitor's type and config in Upwatch, with notes on how they differ from the original. */
export interface Converted {
  type: MonitorType;
  config: Record<string, unknown>;
  notes: string[];
}

/**
 * Returns the function that converts a type, by the type's name in the other tool.
 * @param instead messages for types that Upwatch lacks, which say what to use instead
 * @throws NotCarriedOver
 */
export function conversionOf<Convert>(
  types: Record<string, Convert>,
  name: string,
  instead: Record<string, string> = {},
): Convert {
  const convert = Object.hasOwn(types, name) ? types[name] : undefined;
  if (convert !== undefined) return convert;
  const advice = Object.hasOwn(instead, name) ? instead[name] : undefined;
  throw new NotCarriedOver(advice ?? 'There is no such monitor type.');
}

const MOST_CHECKS = 10;
const MOST_DELAY_MS = 60_000;
const LEAST_TIMEOUT_MS = 100;
const USUAL_TIMEOUT_MS = 10_000;
const MOST_TIMEOUT_MS = 60_000;
const LONGEST_INTERVAL_SECONDS = 86_400;

/** Makes a key for an object that has no ID in the other tool. Uses a hash, because the text may contain secrets and keys are shown. */
export const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 20);

export const clamp = (value: number, least: number, most: number) => Math.min(Math.max(Math.round(value), least), most);

/** Limits a number of checks (until down or up) to what Upwatch allows. Adds a note if it is lowered. */
export function toCount(checks: number, notes: string[]): number {
  if (checks > MOST_CHECKS) notes.push(`${checks} checks in a row become ${MOST_CHECKS}, the maximum.`);
  return clamp(checks, 1, MOST_CHECKS);
}

/** Limits the time between rechecks, in milliseconds. Adds a note if it is lowered. */
export function toDelay(delayMs: number, notes: string[]): number {
  if (delayMs > MOST_DELAY_MS)
    notes.push(`The time between rechecks of ${delayMs / 1000} s becomes 60 s, the maximum.`);
  return clamp(delayMs, 100, MOST_DELAY_MS);
}

/** Limits a timeout, in milliseconds. Adds a note if it changes. 0 means that the other tool has none, and becomes 10 s. */
export function toTimeout(timeoutMs: number, notes: string[]): number {
  if (timeoutMs <= 0) {
    notes.push('It has no timeout. Here it has 10 s.');
    return USUAL_TIMEOUT_MS;
  }
  if (timeoutMs < LEAST_TIMEOUT_MS) notes.push(`The timeout of ${timeoutMs} ms becomes 100 ms, the minimum.`);
  if (timeoutMs > MOST_TIMEOUT_MS) notes.push(`The timeout of ${timeoutMs / 1000} s becomes 60 s, the maximum.`);
  return clamp(timeoutMs, LEAST_TIMEOUT_MS, MOST_TIMEOUT_MS);
}

const LONGEST_GRACE_SECONDS = 31 * 86_400;

/**
 * Converts the period and the grace period of a heartbeat, in seconds. A period of over a day becomes a day with a longer grace period, which ends at
 * the same time. Adds a note then.
 * @throws NotCarriedOver if a heartbeat cannot have so long a grace period
 */
export function toPeriod(seconds: number, graceSeconds: number, notes: string[]) {
  const rest = Math.max(0, seconds - LONGEST_INTERVAL_SECONDS);
  const grace = rest + graceSeconds;
  if (rest > 0) notes.push('Its period of over a day becomes a day, with a grace period that ends at the same time.');
  if (grace > LONGEST_GRACE_SECONDS) throw new NotCarriedOver('Its period is over 32 days, the maximum.');
  return { intervalSeconds: clamp(seconds - rest, 1, LONGEST_INTERVAL_SECONDS), graceSeconds: Math.max(1, grace) };
}

/** Returns the status codes from 100 to 599 that are accepted, as ranges such as "200-299". */
export function toRanges(accepts: (code: number) => boolean): string[] {
  const ranges: [number, number][] = [];
  for (let code = 100; code <= 599; code += 1) {
    if (!accepts(code)) continue;
    const last = ranges.at(-1);
    if (last?.[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`));
}

/** Escapes a text, so that it matches literally in a regular expression (RE2). */
export const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Limits an interval, in seconds. Adds a note if it changes. */
export function toInterval(seconds: number, notes: string[]): number {
  if (seconds > LONGEST_INTERVAL_SECONDS) notes.push('The interval becomes 1 day, the maximum.');
  if (seconds < 1) notes.push('The interval becomes 1 s, the minimum.');
  return clamp(seconds, 1, LONGEST_INTERVAL_SECONDS);
}

/** Returns how connections to an IMAP or POP3 server are encrypted: implicit TLS for its ports, STARTTLS for those without. */
function mailSecurity(port: number | null, isEncrypted: boolean | null): 'none' | 'starttls' | 'tls' {
  if (port === 993 || port === 995) return 'tls';
  if (port === 143 || port === 110) return isEncrypted ? 'starttls' : 'none';
  return (isEncrypted ?? port === null) ? 'tls' : 'none';
}

interface Mailbox {
  protocol: 'imap' | 'pop3';
  port: number | null;
  /** Null if the other tool does not say: then TLS on ports 993 and 995 and without a port, and neither TLS nor STARTTLS on others. */
  isEncrypted: boolean | null;
}

/**
 * Converts a check of an IMAP or POP3 server. Adds a note if the connection is not encrypted because the other tool does not say that it is: TLS on a
 * port without it would fail each check, while a server that requires TLS is noticed at once.
 * @param rest other settings of the config, such as the host
 */
export function toMailbox({ protocol, port, isEncrypted }: Mailbox, rest: object, notes: string[] = []): Converted {
  const security = mailSecurity(port, isEncrypted);
  if (security === 'none' && isEncrypted === null) {
    notes.push(`It is checked without encryption, as usual for port ${port}. Change this if the server uses TLS.`);
  }
  const config = { protocol, ...(port !== null && { port }), security, certificateWarnDays: 0, ...rest };
  return { type: 'mailbox', config, notes };
}

/** Returns the settings of an SMTP server: implicit TLS for port 465, otherwise STARTTLS if `isEncrypted`. */
export function toSmtpServer(port: number, isEncrypted: boolean) {
  return { port, security: port === 465 ? 'tls' : isEncrypted ? 'starttls' : 'none', certificateWarnDays: 0 };
}
