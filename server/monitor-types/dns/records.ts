import type { DnsExpect, RecordType } from '@/server/monitor-types/schema';
import { canParseUrl } from '@/server/platform/schema';

/** Returns the canonical text of an IPv6 address (RFC 5952). Other text is returned unchanged. */
export function canonicalIPv6(text: string): string {
  const url = `http://[${text}]`;
  return canParseUrl(url) ? new URL(url).hostname.slice(1, -1) : text;
}

/** Returns a name in canonical form: lower case, without the trailing dot. */
export const bareName = (name: string) => name.toLowerCase().replace(/(.)\.$/, '$1');

/** Returns an expected value in the form that `toLine` gives records, because users may write quotes, capitals or a trailing dot. */
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

/** Returns the values that match a record. An MX record also matches its name without a priority. */
const namesOf = (type: RecordType, record: string) =>
  type === 'MX' ? [record, record.replace(/^\d+ /, '')] : [record];

/** The maximum number of listed values, more than a cause shows. */
const MOST_LISTED = 50;
const list = (values: string[]) =>
  values
    .slice(0, MOST_LISTED)
    .map((value) => JSON.stringify(value.slice(0, 120)))
    .join(', ');

/**
 * Returns a sentence that says how the records differ from the expected ones; null if they match. Linear in the records, because an answer may have
 * thousands.
 */
export function recordsMiss(type: RecordType, records: string[], { match, values }: DnsExpect): string | null {
  const wanted = new Set(values.map((value) => normalize(type, value)));
  const present = new Set(records.flatMap((record) => namesOf(type, record)));
  const missing = [...wanted].filter((value) => !present.has(value));
  const got = `got ${list(records)}`;
  if (match === 'any') {
    return missing.length < wanted.size ? null : `Expected ${type} to be one of ${list([...wanted])}, ${got}`;
  }
  if (missing.length > 0) return `Expected ${type} to include ${list(missing)}, ${got}`;
  const extra = records.filter((record) => !namesOf(type, record).some((name) => wanted.has(name)));
  return match === 'exact' && extra.length > 0 ? `${type} holds ${list(extra)}, which was not expected` : null;
}
