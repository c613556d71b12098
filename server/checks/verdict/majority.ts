import { type Watch, watchedUntil } from '@/server/history/watched-until';
import type { Verdict } from '@/server/monitor-types/probing/observation';
import type { MonitorStatus } from '@/server/monitor-types/schema';
import { isBelievedDown } from './transition';
import type { WatchState } from './types';

/** The vote of one of a monitor's regions. */
export interface Vote {
  region: string;
  status: MonitorStatus;
  statusSince: Date;
  lastCheckedAt: Date | null;
  lastError: string | null;
  /** Since when it counts checks that contradict its status; null if it counts none. */
  turnedAt: Date | null;
  /** When its next check starts. */
  dueAt: Date | null;
}

export interface Outcome extends Verdict {
  /** Since when there have been enough votes for the outcome. */
  since: Date;
}

/** How long the others wait for an overdue region before they decide without it. */
export const AWAIT_MS = 60_000;
const LONGEST_PART = 200;

const votes = ['up', 'degraded', 'down'] as const;
type Answer = Vote & { status: (typeof votes)[number] };

const isRecent = ({ lastCheckedAt }: Vote, watch: Watch, now: Date) =>
  lastCheckedAt !== null && now < watchedUntil(watch, lastCheckedAt);

/** Returns whether a region has a vote: it checked recently, and the check could be made. */
function isAnswer(vote: Vote, watch: Watch, now: Date): vote is Answer {
  return (votes as readonly string[]).includes(vote.status) && isRecent(vote, watch, now);
}

/** Returns since when a region answers again, for a monitor with an open incident whose status is unknown; null otherwise. */
function backSince({ status, openIncident }: Present, all: Vote[], watch: Watch, now: Date): Date | null {
  if (status !== 'unknown' || openIncident === null) return null;
  const answers = all.filter((vote) => isAnswer(vote, watch, now));
  return answers.length > 0 ? sinceOf(answers, 1) : null;
}

/**
 * Returns until when the others wait for the vote of a silent region; null if it has voted, or the wait is over.
 * @param backAt when the first region was back after all had been silent: it alone must not resolve an incident
 */
function awaitedUntil(vote: Vote, watch: Watch, backAt: Date | null, now: Date): Date | null {
  if (vote.dueAt === null || isAnswer(vote, watch, now)) return null;
  const isUnable = vote.status === 'unknown' && isRecent(vote, watch, now);
  const from = Math.max(isUnable ? 0 : vote.dueAt.getTime(), backAt?.getTime() ?? 0);
  const until = new Date(from + AWAIT_MS);
  return until > now ? until : null;
}

const clip = (text: string) => (text.length > LONGEST_PART ? `${text.slice(0, LONGEST_PART).toWellFormed()}…` : text);

/** Returns the cause in one sentence: the error and which regions saw it, or each region's error if they differ. Null without regions. */
function reasonOf(said: Vote[], answers: number): string | null {
  const [first] = said;
  if (!first) return null;
  if (answers === 1) return first.lastError;
  const errors = new Set(said.map(({ lastError }) => lastError));
  const count = `${said.length} of ${answers} regions`;
  if (errors.size === 1) return `${first.lastError} (${count}: ${said.map(({ region }) => region).join(', ')})`;
  return `${count}: ${said.map(({ region, lastError }) => `${region}: ${clip(lastError ?? 'failed')}`).join('; ')}`;
}

/** Returns when the `needed`th of these regions changed its vote. */
function sinceOf(said: Vote[], needed: number): Date {
  const starts = said.map(({ statusSince }) => statusSince).sort((a, b) => a.getTime() - b.getTime());
  return starts[Math.min(needed, starts.length) - 1] ?? new Date(0);
}

type Present = Pick<WatchState, 'status' | 'statusSince' | 'openIncident' | 'steadySince' | 'changes'>;

const isUndecided = (present: Present) =>
  !isBelievedDown(present) && present.status !== 'up' && present.status !== 'degraded';

/** Returns whether a vote is ignored, because it contradicts the status but its check began before the monitor had that status. */
function isLate({ status, lastCheckedAt }: Vote, present: Present): boolean {
  if (isUndecided(present) || (status === 'down') === isBelievedDown(present)) return false;
  return lastCheckedAt !== null && lastCheckedAt < present.statusSince;
}

/** Returns the outcome if no region's check counts any more. */
export function silence(since: Date, error: string | null = null): Outcome {
  return { status: 'unknown', error: error ?? 'No region has checked this monitor recently', since };
}

/** Returns the outcome without votes, since the last vote expired. The cause is the error of a region that could not check, if there is one. */
function silenceOf(all: Vote[], watch: Watch, now: Date): Outcome {
  const last = all.map(({ lastCheckedAt, statusSince }) => {
    return (lastCheckedAt ? watchedUntil(watch, lastCheckedAt) : statusSince).getTime();
  });
  const unable = all.find(({ status, lastError }) => status === 'unknown' && lastError !== null);
  return silence(new Date(Math.min(Math.max(...last), now.getTime())), unable?.lastError);
}

/**
 * Returns the outcome of the votes. A change to or from down or degraded needs a strict majority of the regions that checked recently; a tie keeps
 * the status. While an overdue region is awaited, it counts against any change. If the status is unknown, half of the votes are enough for up.
 * Without votes the status is unknown.
 * @param watch how long a region's vote counts after its check
 * @returns null if the status does not change
 */
export function majority(present: Present, all: Vote[], watch: Watch, now: Date): Outcome | null {
  const said = all.filter((vote): vote is Answer => isAnswer(vote, watch, now) && !isLate(vote, present));
  const backAt = backSince(present, all, watch, now);
  const awaited = all.filter((vote) => awaitedUntil(vote, watch, backAt, now)).length;
  if (said.length === 0) return awaited > 0 ? null : silenceOf(all, watch, now);
  const needed = Math.floor((said.length + awaited) / 2) + 1;
  const failing = said.filter(({ status }) => status === 'down');
  if (failing.length >= needed) {
    return { status: 'down', error: reasonOf(failing, said.length), since: sinceOf(failing, needed) };
  }
  const well = said.filter(({ status }) => status !== 'down');
  const isOpen = present.openIncident !== null && awaited > 0;
  const isFree = isUndecided(present) && !isOpen;
  if (well.length < needed && !(isFree && well.length >= failing.length)) return null;
  const slow = said.filter((vote) => vote.status === 'degraded');
  const fast = said.filter((vote) => vote.status === 'up');
  if (slow.length >= needed) {
    return { status: 'degraded', error: reasonOf(slow, said.length), since: sinceOf(slow, needed) };
  }
  const wasDegraded = present.status === 'degraded' || (present.openIncident === 'degraded' && isOpen);
  if (wasDegraded && fast.length < needed) return null;
  return { status: 'up', error: null, since: sinceOf(wasDegraded ? fast : well, needed) };
}

/** Returns whether a region that votes for this outcome counts checks that contradict it. A region that votes against it does not dispute it. */
export function isDisputed({ status }: Pick<Outcome, 'status'>, all: Vote[], watch: Watch, now: Date): boolean {
  return all.some((vote) => {
    return vote.turnedAt !== null && isAnswer(vote, watch, now) && (vote.status === 'down') === (status === 'down');
  });
}

/** Returns when a region's silence may change the outcome without any further check; null for never. */
export function nextSilence(present: Present, all: Vote[], watch: Watch, now: Date): Date | null {
  const backAt = backSince(present, all, watch, now);
  const times = all.flatMap((vote) => {
    const awaited = awaitedUntil(vote, watch, backAt, now);
    if (awaited) return [awaited.getTime()];
    if (vote.lastCheckedAt && isRecent(vote, watch, now)) return [watchedUntil(watch, vote.lastCheckedAt).getTime()];
    return [];
  });
  return times.length > 0 ? new Date(Math.min(...times)) : null;
}
