import { type EscalationState, later, type PendingSend, type Plan } from './advance';

/** A message of the current step. While it is pending or retried, it is neither accepted nor failed. */
export interface Call {
  channelId: string;
  /** Whose contact method it is; null for a channel of the team. */
  userId: string | null;
  /** When its provider accepted it. */
  acceptedAt: Date | null;
  /** Whether it failed permanently. */
  hasFailed: boolean;
}

const earlier = (one: Date, other: Date) => (one < other ? one : other);

/**
 * Returns the pending messages after failures. For each person whose messages all failed, makes the next contact method due at once, or adds the
 * email address of the account if none is left.
 */
function nextWays(
  pending: PendingSend[],
  calls: Call[],
  accountMethodOf: (userId: string) => string | null,
  now: Date,
) {
  let ways = pending;
  for (const userId of new Set(calls.flatMap((call) => call.userId ?? []))) {
    const own = calls.filter((call) => call.userId === userId);
    if (!own.every(({ hasFailed }) => hasFailed)) continue;
    const [next] = ways.filter((way) => way.userId === userId).toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
    const account = accountMethodOf(userId);
    if (next) {
      const at = earlier(new Date(next.at), now).toISOString();
      ways = ways.map((way) => (way === next ? { ...way, at } : way));
    } else if (account !== null && !own.some(({ channelId }) => channelId === account)) {
      ways = [...ways, { channelId: account, userId, at: now.toISOString() }];
    }
  }
  return ways;
}

/**
 * Applies the outcomes of the current step's messages. The wait for an acknowledgment starts when the first one is accepted. A person whose
 * messages all failed is notified by the next contact method at once. If all messages failed and no method is left, the next step of the round
 * begins. Idempotent. Pure.
 * @param accountMethodOf the contact method for the email address of a person's account; null without a mail server
 */
export function settle(
  state: EscalationState,
  { steps }: Plan,
  calls: Call[],
  accountMethodOf: (userId: string) => string | null,
  now: Date,
): EscalationState {
  if (state.status !== 'running' || calls.length === 0) return state;
  const wait = steps[state.step]?.waitMinutes ?? 0;
  const pending = nextWays(state.pending, calls, accountMethodOf, now);
  const accepted = calls.flatMap(({ acceptedAt }) => acceptedAt ?? []);
  const isOver = pending.length === 0 && calls.every(({ hasFailed }) => hasFailed);
  const isLast = state.step + 1 >= steps.length;
  const ends = [...accepted.map((at) => later(at, wait)), ...(isOver ? [isLast ? later(now, wait) : now] : [])];
  return { ...state, pending, nextStepAt: ends.reduce(earlier, state.nextStepAt) };
}
