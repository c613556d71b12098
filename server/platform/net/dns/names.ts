import { FairPool } from '@/server/platform/fair-pool';
import type { Patience } from '../deadline';
import { Cache, type Outcome } from './cache';
import { codeOf, DnsFailure, failureOf, isAnswer } from './dns-failure';
import type { Question } from './exchange';
import { type Families, ownFamilies } from './families';
import { isUnder } from './internal-name';
import { type Found, type Lookup, lookUp } from './lookup';
import { NameServers } from './name-servers';
import { OutageJudge } from './outage';
import type { DnsRecords } from './records';
import type { ResolvConf } from './resolv-conf';
import { type NameSystem, nameSystem } from './system';
import type { Family, ResolvedAddress } from './types';
import { until } from './until';

/**
 * The number of concurrent lookups; at most half of them of one team while others are active. Each is two queries, and dnsmasq, which is common,
 * rejects more than 150 open ones.
 */
const SLOTS = 64;
/** The maximum time to cache an answer, so that a name that moved is followed within this time. */
const HOLDS_AT_MOST_MS = 30_000;
/** The time to cache a failure. Short, because a recheck must see the name come back. */
const FAILURE_HOLDS_MS = 1_000;

export interface AskOptions {
  /** The team that uses the name servers. */
  teamId: string;
  by: Patience;
}

export interface NameOptions extends AskOptions {
  family: Family;
  /** Skips the cache. */
  fresh: boolean;
}

interface Pending {
  inTime: Promise<ResolvedAddress[]>;
  over: Promise<unknown>;
}

function wantedFamilies(family: Family, own: Families): (4 | 6)[] {
  if (family !== 0) return [family];
  const both: (4 | 6)[] = own.prefers6 ? [6, 4] : [4, 6];
  return both.filter((each) => own[each]);
}

/** Returns the loopback addresses of this machine. */
function loopback(families: Families): ResolvedAddress[] {
  const four: ResolvedAddress = { address: '127.0.0.1', family: 4 };
  return families.loopback6 ? [four, { address: '::1', family: 6 }] : [four];
}

/**
 * Returns the candidates for a name, in query order (resolv.conf(5), `search` and `ndots`). As in musl, a name with enough dots is its only
 * candidate: a wildcard in a search domain must not answer for a name that no longer exists.
 */
export function candidatesOf(name: string, { search, ndots }: Pick<ResolvConf, 'search' | 'ndots'>): string[] {
  const dots = name.split('.').length - 1;
  if (dots >= ndots) return [name];
  const full = search.map((domain) => `${name}.${domain}`).filter((each) => each.length <= 253);
  return [...full, name];
}

/** Resolves names for all teams, with the system's settings, but without using its threads. */
export class Names {
  private system: NameSystem | null = null;
  private servers = new NameServers({ servers: [] });
  private judge = new OutageJudge(this.servers);
  private cache = new Cache();
  private pending = new Map<string, Pending>();
  private readonly pool: FairPool;

  constructor(
    private readonly read: () => NameSystem = nameSystem,
    private readonly families: () => Families = ownFamilies,
    slots = SLOTS,
  ) {
    this.pool = new FairPool({ kind: 'resolve', slots });
  }

  /**
   * Returns the addresses of a name (in lower case), from the hosts file, the cache or the name servers. Concurrent callers of one name share a
   * lookup. Slots for lookups are shared fairly by team.
   * @throws DnsFailure with c-ares' code, or the reason of the caller's signal
   */
  async resolve(name: string, { family, fresh, teamId, by }: NameOptions): Promise<ResolvedAddress[]> {
    const system = this.current();
    const own = this.ownAnswer(name, family, system);
    if (own) return own;
    const key = `${family} ${name}`;
    const known = fresh ? null : this.cache.get(key);
    if (known) return this.unwrap(known);
    const present = this.pending.get(key);
    if (present) return until(present.inTime, by.signal);
    const askedAt = performance.now();
    const release = await this.enter(name, { teamId, by });
    const meanwhile = this.cache.get(key, askedAt);
    if (meanwhile) {
      release();
      return this.unwrap(meanwhile);
    }
    const lookup = this.pending.get(key) ?? this.begin(key, name, family, system);
    void lookup.over.finally(release);
    return until(lookup.inTime, by.signal);
  }

  /** Sends any query to the name servers, without the cache. */
  async ask(question: Question, { teamId, by }: AskOptions): Promise<DnsRecords> {
    this.current();
    const release = await this.enter(question.name, { teamId, by });
    try {
      const answer = await this.servers.ask(question, by.signal, { teamId, by });
      this.judge.calibrate();
      return answer;
    } finally {
      release();
    }
  }

  /** Whether a lookup started at `since` (by `performance.now()`) failed because the name servers are down. */
  isOutage(error: unknown, since: number): Promise<boolean> {
    return this.judge.isOutage(error, since);
  }

  /** The search domains of this machine. */
  get search(): string[] {
    return this.current().search;
  }

  private enter(host: string, { teamId: team, by }: AskOptions): Promise<() => void> {
    const share = { team, host };
    return by.waitForUs(() => this.pool.enter(share, by.signal));
  }

  private current(): NameSystem {
    const system = this.read();
    if (system === this.system) return system;
    this.system = system;
    this.servers = new NameServers(system);
    this.judge = new OutageJudge(this.servers);
    this.cache = new Cache();
    this.pending = new Map();
    return system;
  }

  /**
   * Returns the addresses of a name that needs no name server: one in the hosts file, or under `localhost` (RFC 6761). Null for other names.
   * @throws DnsFailure ENOTFOUND for a name under `invalid`
   */
  private ownAnswer(name: string, family: Family, { hosts }: NameSystem): ResolvedAddress[] | null {
    const isWanted = (each: ResolvedAddress) => family === 0 || each.family === family;
    const listed = hosts.get(name)?.filter(isWanted) ?? [];
    if (listed.length > 0) return listed;
    if (isUnder(name, ['invalid'])) throw new DnsFailure('ENOTFOUND');
    return isUnder(name, ['localhost']) ? loopback(this.families()).filter(isWanted) : null;
  }

  /** Starts a lookup that its callers share, and stores its result in the cache. */
  private begin(key: string, name: string, family: Family, system: NameSystem): Pending {
    const { cache, pending } = this;
    const store = ({ addresses, ttlSeconds }: Found) => {
      cache.set(key, { addresses }, Math.min(ttlSeconds * 1_000, HOLDS_AT_MOST_MS));
      return addresses;
    };
    const lookup = this.find(name, family, system);
    const inTime = lookup.then((found) => found.inTime).then(store);
    const over = lookup
      .then((found) => found.whole)
      .then(store)
      .catch((error: unknown) => cache.set(key, { error }, FAILURE_HOLDS_MS))
      .finally(() => pending.delete(key));
    // The caller may be gone by then.
    inTime.catch(() => undefined);
    pending.set(key, { inTime, over });
    return { inTime, over };
  }

  /** Tries the candidates for a name in order, and returns the lookup of the first one that has an address. */
  private async find(name: string, family: Family, system: NameSystem): Promise<Lookup> {
    const { servers, judge } = this;
    const own = this.families();
    const families = wantedFamilies(family, own);
    const failures: unknown[] = [];
    for (const candidate of candidatesOf(name, system)) {
      const lookup = lookUp(candidate, families, servers);
      try {
        await lookup.inTime;
        judge.calibrate();
        return lookup;
      } catch (error) {
        failures.push(error);
        if (!isAnswer(error) && codeOf(error) !== 'ESERVFAIL') break;
      }
    }
    const failure = failureOf(failures);
    if (codeOf(failure) !== 'ENODATA' || family !== 0 || families.length === 2) throw failure;
    // It may have addresses in a family that this machine does not have.
    const others = await lookUp(name, families[0] === 4 ? [6] : [4], servers).whole.catch(() => null);
    throw others ? new DnsFailure('ENETUNREACH') : failure;
  }

  private unwrap(outcome: Outcome): ResolvedAddress[] {
    if ('error' in outcome) throw outcome.error;
    return outcome.addresses;
  }
}

/** The resolver of this process. */
export const names = new Names();
