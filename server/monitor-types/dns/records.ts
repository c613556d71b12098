import type { DnsExpect, RecordType } from '@/server/monitor-types/schema';
import { canParseUrl } from '@/server/platform/schema';

/** RFC 5952: the canonical text of an IPv6 address. Other text is returned unchanged. */
export function canonicalIPv6(text: string): string {
  const url = `http://[${text}]`;
  return canParseUrl(url) ? new URL(url).hostname.slice(1, -1) : text;
}

/** A name in canonical form: lower case, without the trailing dot. */
export const bareName = (name: string) => name.toLowerCase().replace(/(.)\.$/, '$1');

/** An expected value in the form that `queryRecords` returns: users may write quotes, capitals or a trailing dot. */
function normalize(type: RecordType, value: string): string {
  const unquoted = value.replace(/^"(.*)"$/s, '$1');
  switch (type) {
    case 'TXT':
      return unquoted;
    case 'AAAA':
      return canonicalIPv6(value);
    case 'CAA':
      return value.replace(/\s+/g, ' ').replace(/"/g, '');
    default:
      return value.split(/\s+/).map(bareName).join(' ');
  }
}

function isValue(type: RecordType, wanted: string, record: string): boolean {
  if (record === wanted) return true;
  // "mail.example.com" without a priority matches any priority.
  return type === 'MX' && record.replace(/^\d+ /, '') === wanted;
}

const list = (values: string[]) => values.map((value) => JSON.stringify(value.slice(0, 120))).join(', ');

/** How the records differ from the expected ones, as a sentence; null if they match. */
export function recordsMiss(type: RecordType, records: string[], { match, values }: DnsExpect): string | null {
  const wanted = values.map((value) => normalize(type, value));
  const isThere = (value: string) => records.some((record) => isValue(type, value, record));
  const got = `got ${list(records)}`;
  if (match === 'any') return wanted.some(isThere) ? null : `Expected ${type} to be one of ${list(wanted)}, ${got}`;
  const missing = wanted.filter((value) => !isThere(value));
  if (missing.length > 0) return `Expected ${type} to include ${list(missing)}, ${got}`;
  const extra = records.filter((record) => !wanted.some((value) => isValue(type, value, record)));
  return match === 'exact' && extra.length > 0 ? `${type} holds ${list(extra)}, which was not expected` : null;
}
