import { suggestName } from '@/server/monitor-types/schema';
import { cut } from '../draft';

/** The part of an address that is read; no monitor has a longer one. */
const MOST_CHARACTERS = 2_048;

/** Returns a name for a monitor that has none: its address without credentials, query and fragment. Empty if these cannot be told apart. */
export function nameOfAddress(given: string): string {
  const address = given.slice(0, MOST_CHARACTERS);
  // A host with a port, or an IPv6 address: as a URL, it would lose a usual port.
  if (/^[^\s/@?#]*:[^\s/@?#]*$/.test(address)) return cut(address, 120);
  const [start = '', ...rest] = address.split(/[?#]/);
  const redacted = rest.some((part) => part.includes('@')) ? '' : start.replace(/^.*@/s, '');
  return cut(suggestName(address) || redacted, 120);
}
