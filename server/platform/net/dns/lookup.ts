import { isIP } from 'node:net';
import { DnsFailure, failureOf } from './dns-failure';
import type { NameServers } from './name-servers';
import type { Family, ResolvedAddress } from './types';

/** The time that the slower family gets once the other has answered (RFC 8305 §3, which says 50 ms for a browser). */
const RESOLUTION_DELAY_MS = 100;
/** The maximum number of addresses per family; further ones are ignored. */
const MOST_OF_A_FAMILY = 16;

export interface Found {
  addresses: ResolvedAddress[];
  /** How long they are valid. */
  ttlSeconds: number;
}

/** A running lookup: `inTime` resolves with the addresses that were found in time, `whole` with all addresses. */
export interface Lookup {
  inTime: Promise<Found>;
  whole: Promise<Found>;
}

type Part = { found: Found } | { error: unknown };

async function askFor(family: 4 | 6, name: string, servers: NameServers): Promise<Part> {
  try {
    const type = family === 4 ? 'A' : 'AAAA';
    const { records, ttlSeconds } = await servers.ask({ name, type });
    const texts = records.flatMap((record) => (record.type === type ? [record.data] : []));
    if (texts.some((text) => isIP(text) !== family)) throw new DnsFailure('EBADRESP');
    const addresses = [...new Set(texts)].slice(0, MOST_OF_A_FAMILY).map((address) => ({ address, family }));
    return { found: { addresses, ttlSeconds } };
  } catch (error) {
    return { error };
  }
}

/** Merges the results of both families. Throws the most telling error if neither has an address. */
function join(parts: Part[]): Found {
  const found = parts.flatMap((part) => ('found' in part ? [part.found] : []));
  const addresses = found.flatMap((each) => each.addresses);
  if (addresses.length > 0) return { addresses, ttlSeconds: Math.min(...found.map(({ ttlSeconds }) => ttlSeconds)) };
  throw failureOf(parts.flatMap((part) => ('error' in part ? [part.error] : [])));
}

/** Queries the addresses of one full name in the given families, concurrently. */
export function lookUp(name: string, families: Exclude<Family, 0>[], servers: NameServers): Lookup {
  const asked = families.map((family) => askFor(family, name, servers));
  const whole = Promise.all(asked).then(join);
  const [one, other] = asked;
  if (!one || !other) return { inTime: whole, whole };
  const inTime = new Promise<Found>((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const begin = (part: Part) => {
      if ('found' in part) timer ??= setTimeout(() => resolve(part.found), RESOLUTION_DELAY_MS);
    };
    void one.then(begin);
    void other.then(begin);
    whole.then(resolve, reject).finally(() => clearTimeout(timer));
  });
  return { inTime, whole };
}
