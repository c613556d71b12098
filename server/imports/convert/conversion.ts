import { createHash } from 'node:crypto';
import type { MonitorType } from '@/server/monitor-types/schema';
import { NotCarriedOver } from '../draft';

/** A monitor's type and config here, and how these differ from the original. */
export interface Converted {
  type: MonitorType;
  config: Record<string, unknown>;
  notes: string[];
}

/**
 * The conversion of a type by its name in the other tool.
 * @param instead what to use instead of types that Upwatch lacks
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

/** Identifies an object whose other tool has no ID for it. The text may hold secrets, and keys are shown: a digest. */
export const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 20);

export const clamp = (value: number, least: number, most: number) => Math.min(Math.max(Math.round(value), least), most);

/** The number of failing checks until down, or of passing ones until up. */
export function toCount(checks: number, notes: string[]): number {
  if (checks > MOST_CHECKS) notes.push(`${checks} checks in a row become ${MOST_CHECKS}, the maximum.`);
  return clamp(checks, 1, MOST_CHECKS);
}

/** The time between rechecks in milliseconds. */
export function toDelay(delayMs: number, notes: string[]): number {
  if (delayMs > MOST_DELAY_MS)
    notes.push(`The time between rechecks of ${delayMs / 1000} s becomes 60 s, the maximum.`);
  return clamp(delayMs, 100, MOST_DELAY_MS);
}

/** The timeout in milliseconds. 0 stands for the usual one of the other tool, which its file does not name. */
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
 * When a heartbeat is late. A period of over a day becomes a day and a longer grace period, which ends at the same time.
 * @throws NotCarriedOver for a longer one than a heartbeat can have
 */
export function toPeriod(seconds: number, graceSeconds: number, notes: string[]) {
  const rest = Math.max(0, seconds - LONGEST_INTERVAL_SECONDS);
  const grace = rest + graceSeconds;
  if (rest > 0) notes.push('Its period of over a day becomes a day, with a grace period that ends at the same time.');
  if (grace > LONGEST_GRACE_SECONDS) throw new NotCarriedOver('Its period is over 32 days, the maximum.');
  return { intervalSeconds: clamp(seconds - rest, 1, LONGEST_INTERVAL_SECONDS), graceSeconds: Math.max(1, grace) };
}

/** The status codes that are accepted, as ranges. */
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

/** A text for a regular expression (RE2) that matches it as it is. */
export const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** The interval in seconds. */
export function toInterval(seconds: number, notes: string[]): number {
  if (seconds > LONGEST_INTERVAL_SECONDS) notes.push('The interval becomes 1 day, the maximum.');
  if (seconds < 1) notes.push('The interval becomes 1 s, the minimum.');
  return clamp(seconds, 1, LONGEST_INTERVAL_SECONDS);
}

/** The port and security of an SMTP server: 465 begins with TLS, and others upgrade to it. */
export function toSmtpServer(port: number, isEncrypted: boolean) {
  return { port, security: port === 465 ? 'tls' : isEncrypted ? 'starttls' : 'none', certificateWarnDays: 0 };
}
