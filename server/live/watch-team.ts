import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '@/server/platform/log';
import { findReaders, renewLeases } from './queries';

/** The lifetime of a lease. Events are still sent for this long after the last page was closed. */
const LEASE_MS = 60_000;
const RENEW_EVERY_MS = 20_000;
const RETRY_MS = 1_000;
/** The interval and the maximum time of waiting for transactions that may not have seen a new lease. Those transactions take at most 20 s. */
const ASK_EVERY_MS = 100;
const READERS_END_WITHIN_MS = 30_000;

/** A team with streams in this process. */
interface Watched {
  /** Called when the stream may have missed events; one per stream. */
  missed: Set<() => void>;
  /** When the last renewal began, by the clock of the process; null before the first. */
  leasedAt: number | null;
  leasing: Promise<void> | null;
}

const teams = new Map<string, Watched>();
let timer: NodeJS.Timeout | null = null;

/** Returns the number of streams of a team in this process. */
export function countStreams(teamId: string): number {
  return teams.get(teamId)?.missed.size ?? 0;
}

/** Waits until every transaction that may not have seen the lease has ended. Then everything that was written without an event can be read. */
async function untilSeen(watched: Watched): Promise<void> {
  const end = performance.now() + READERS_END_WITHIN_MS;
  const readers = new Set(await findReaders());
  if (readers.size === 0) return;
  for (let left = [...readers]; left.length > 0 && performance.now() < end; ) {
    await sleep(ASK_EVERY_MS);
    left = (await findReaders()).filter((id) => readers.has(id));
  }
  for (const missed of watched.missed) missed();
}

/** Renews leases. Notifies the streams of a team whose lease may have expired that they missed events. */
async function renew(renewed: [string, Watched][]): Promise<void> {
  const now = performance.now();
  const ids = renewed.map(([id]) => id);
  await renewLeases(ids, LEASE_MS);
  for (const [, watched] of renewed) {
    const { leasedAt } = watched;
    watched.leasedAt = now;
    if (leasedAt !== null && now - leasedAt < LEASE_MS) continue;
    if (leasedAt !== null) for (const missed of watched.missed) missed();
    untilSeen(watched).catch((error: unknown) => {
      log.warn({ err: error }, 'Live streams reload, because transactions could not be listed');
      for (const missed of watched.missed) missed();
    });
  }
}

/** Renews the leases of all watched teams every `ms` until no team is watched. */
function renewIn(ms: number): void {
  timer = setTimeout(async () => {
    timer = null;
    if (teams.size === 0) return;
    const wait = await renew([...teams]).then(
      () => RENEW_EVERY_MS,
      (error: unknown) => {
        log.warn({ err: error }, 'The leases of live streams could not be renewed, trying again');
        return RETRY_MS;
      },
    );
    if (timer === null && teams.size > 0) renewIn(wait);
  }, ms).unref();
}

/**
 * Makes workers send live events for all checks of a team until the returned function is called. Resolves when they do, so that data read afterwards
 * is current; if that takes too long, resolves earlier and calls `missed` later.
 */
export async function watchTeam(teamId: string, missed: () => void): Promise<() => void> {
  const watched = teams.get(teamId) ?? { missed: new Set(), leasedAt: null, leasing: null };
  teams.set(teamId, watched);
  watched.missed.add(missed);
  const stop = () => {
    watched.missed.delete(missed);
    if (watched.missed.size === 0 && teams.get(teamId) === watched) teams.delete(teamId);
  };
  try {
    watched.leasing ??= renew([[teamId, watched]]);
    await watched.leasing;
  } catch (error) {
    watched.leasing = null;
    stop();
    throw error;
  }
  if (timer === null) renewIn(RENEW_EVERY_MS);
  return stop;
}
