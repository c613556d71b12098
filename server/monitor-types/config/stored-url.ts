import { canParseUrl } from '@/server/platform/schema';

/** Returns the text of a URL in plain text, masked or stored. */
export const urlText = (value: unknown): string =>
  typeof value === 'string' ? value : ((value as { shown?: string } | undefined)?.shown ?? '');

/** Returns the origin of a URL in plain text, masked or stored; empty if it has none. */
export function originOf(value: unknown): string {
  const text = urlText(value);
  return canParseUrl(text) ? new URL(text).origin : '';
}

/**
 * Returns the Host headers, by which a server of several sites chooses one; plain or encrypted. There can be several, because names that differ in case
 * are the same header, of which the last is sent.
 */
export function hostHeaders(headers: unknown): [name: string, value: unknown][] {
  const entries = Object.entries((headers ?? {}) as Record<string, unknown>);
  return entries.filter(([name]) => name.toLowerCase() === 'host');
}
