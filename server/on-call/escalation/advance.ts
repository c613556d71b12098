import { MINUTE_MS } from '@/server/time/schema';

/** A message that is due later in its step. */
export interface PendingSend {
  channelId: string;
  /** Whose contact method it is; null for a channel of the team. */
  userId: string | null;
  /** ISO 8601. */
  at: string;
}

export interface EscalationState {
  status: 'running' | 'stopped' | 'finished';
  round: number;
  lastRound: number;
  /** -1 before the first step. */
  step: number;
  nextStepAt: Date;
  pending: PendingSend[];
}

/** The people and channels that a step reaches if it begins now. */
export interface Reach {
  /** Each person once, with their contact methods in order. */
  people: { userId: string; methods: { channelId: string; delayMinutes: number }[] }[];
  channelIds: string[];
  /** Whether at least one of the contact methods or channels is not known to be failing. */
  canReach: boolean;
  /** Sentences that say why targets are not reached, or are failing. */
  missing: string[];
}

/** An effect of advancing an escalation; effects are applied in order. */
export type Effect =
  | { kind: 'send'; round: number; step: number; channelId: string; userId: string | null }
  | { kind: 'missing'; step: number; text: string; isEmpty: boolean }
  | { kind: 'finished' };

export interface Plan {
  steps: { waitMinutes: number }[];
}

/** The wait of a step starts when its first message is accepted, or after this time at the latest. */
export const ACCEPTED_WITHIN_MINUTES = 2;

export const later = (at: Date, minutes: number) => new Date(at.getTime() + minutes * MINUTE_MS);

/**
 * Returns the messages of a step that begins, one per channel: channels and the first contact method of each person at once, further contact methods
 * after their delays, but not later than the end of the step.
 */
function begin({ people, channelIds }: Reach, now: Date, waitMinutes: number): PendingSend[] {
  const own = people.flatMap(({ userId, methods }) =>
    methods.map(({ channelId, delayMinutes }, index) => {
      const minutes = index === 0 ? 0 : Math.min(delayMinutes, waitMinutes);
      return { channelId, userId, at: later(now, minutes).toISOString() };
    }),
  );
  const all = [...channelIds.map((channelId) => ({ channelId, userId: null, at: now.toISOString() })), ...own];
  return all.filter(({ channelId }, index) => all.findIndex((each) => each.channelId === channelId) === index);
}

/** Returns when an escalation has to be advanced next; null once it has stopped or finished. */
export function nextMoveAt({ status, nextStepAt, pending }: EscalationState): Date | null {
  if (status !== 'running') return null;
  return new Date(Math.min(nextStepAt.getTime(), ...pending.map(({ at }) => Date.parse(at))));
}

/**
 * Advances an escalation to `now`. If a step can reach nobody, the next one of its round follows at once. A worker that was stopped runs missed
 * steps one after the other, each with its full wait, so that there is time to acknowledge. Pure.
 */
export function advance(
  state: EscalationState,
  plan: Plan,
  reachOf: (step: number) => Reach,
  now: Date,
): { state: EscalationState; effects: Effect[] } {
  const effects: Effect[] = [];
  let { status, round, step, nextStepAt, pending } = state;
  const flush = (isDue: (send: PendingSend) => boolean) => {
    for (const { channelId, userId } of pending.filter(isDue)) {
      effects.push({ kind: 'send', round, step, channelId, userId });
    }
    pending = pending.filter((send) => !isDue(send));
  };
  while (status === 'running') {
    const isOver = nextStepAt <= now;
    flush(({ at }) => isOver || Date.parse(at) <= now.getTime());
    if (!isOver) break;
    const isLast = step + 1 >= plan.steps.length;
    if (isLast && round >= state.lastRound) {
      status = 'finished';
      effects.push({ kind: 'finished' });
      break;
    }
    round += isLast ? 1 : 0;
    step = isLast ? 0 : step + 1;
    const reach = reachOf(step);
    const wait = plan.steps[step]?.waitMinutes ?? 0;
    pending = begin(reach, now, wait);
    const isEmpty = pending.length === 0;
    for (const text of reach.missing) effects.push({ kind: 'missing', step, text, isEmpty });
    // Between rounds the wait always applies, because otherwise ten rounds would pass at once if nobody can be reached.
    const goesOn = !reach.canReach && step + 1 < plan.steps.length;
    nextStepAt = goesOn ? now : later(now, isEmpty ? wait : wait + ACCEPTED_WITHIN_MINUTES);
  }
  return { state: { ...state, status, round, step, nextStepAt, pending }, effects };
}
