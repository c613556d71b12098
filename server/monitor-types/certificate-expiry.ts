import { DAY_MS } from '@/server/time/schema';

/** Returns a sentence that says when a certificate, or something else, expires or expired. */
export function inWords(validTo: Date, at: Date, what = 'Certificate'): string {
  const on = validTo.toISOString().slice(0, 10);
  if (validTo <= at) return `${what} expired on ${on}`;
  const days = Math.floor((validTo.getTime() - at.getTime()) / DAY_MS);
  const left = days < 1 ? 'less than a day' : days === 1 ? '1 day' : `${days} days`;
  return `${what} expires in ${left}, on ${on}`;
}

/** Whether a certificate has expired or expires within `warnDays`. False if that is 0, which turns warnings off. */
export function endsSoon(validTo: Date, warnDays: number, at: Date): boolean {
  return warnDays > 0 && validTo.getTime() - at.getTime() < warnDays * DAY_MS;
}
