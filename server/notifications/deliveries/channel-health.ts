import { MINUTE_MS } from '@/server/time/schema';

/** The health of a channel, derived from the attempts of its deliveries. */
export interface ChannelHealth {
  /** The time of the last accepted message, to the minute. */
  deliveredAt: Date | null;
  /** The time of the first failed attempt since the last accepted message. */
  failingSince: Date | null;
  /** The number of messages that failed since then. */
  failedMessages: number;
  /** When the channel was marked as failing; null while its failures are only retried. */
  failedAt: Date | null;
  lastError: string | null;
}

/** The outcome of one attempt. */
export interface Outcome {
  at: Date;
  /** Null if the message was accepted. */
  error: string | null;
  /** Whether no earlier attempt at this message failed. */
  isFirst: boolean;
  /** Whether the message is not retried. */
  isFinal: boolean;
}

/**
 * With this many failed messages, a channel counts as failing after a minute. A restarting receiver also rejects many messages, but not for that
 * long.
 */
const MANY_MESSAGES = 3;
const MANY_AFTER_MS = MINUTE_MS;
/** With fewer failed messages, a channel counts as failing after this time. */
const ONE_AFTER_MS = 10 * MINUTE_MS;
/** Accepted messages are recorded at this resolution, so that not every message of a busy channel writes its row. */
const DELIVERED_RESOLUTION_MS = MINUTE_MS;

function afterSuccess(health: ChannelHealth, at: Date): ChannelHealth {
  const { deliveredAt, failingSince } = health;
  const isNews = !deliveredAt || failingSince || at.getTime() - deliveredAt.getTime() >= DELIVERED_RESOLUTION_MS;
  if (!isNews) return health;
  return { ...health, deliveredAt: at, failingSince: null, failedMessages: 0, failedAt: null, lastError: null };
}

/** Counts a failed attempt. If the message is not retried any more, marks the channel as failing at once. */
function afterFailure(health: ChannelHealth, { at, error, isFirst, isFinal }: Outcome): ChannelHealth {
  const failingSince = health.failingSince ?? at;
  const failedMessages = health.failingSince ? health.failedMessages + (isFirst ? 1 : 0) : 1;
  return {
    ...health,
    failingSince,
    failedMessages,
    failedAt: health.failedAt ?? (isFinal ? at : null),
    lastError: error,
  };
}

/**
 * Marks a channel as failing if its messages have failed for 10 min, or for 1 min with at least three failed messages.
 * @returns the same object if nothing changes
 */
export function review(health: ChannelHealth, now: Date): ChannelHealth {
  const { failingSince, failedMessages, failedAt } = health;
  if (!failingSince || failedAt) return health;
  const limit = failedMessages >= MANY_MESSAGES ? MANY_AFTER_MS : ONE_AFTER_MS;
  return now.getTime() - failingSince.getTime() >= limit ? { ...health, failedAt: now } : health;
}

/**
 * Returns when a channel has to be reviewed next, even if no message is attempted until then. Null if no message failed, or the channel is marked as
 * failing.
 */
export function nextReview({ failingSince, failedAt }: ChannelHealth, now: Date): Date | null {
  if (!failingSince || failedAt) return null;
  const first = failingSince.getTime() + MANY_AFTER_MS;
  return new Date(now.getTime() < first ? first : failingSince.getTime() + ONE_AFTER_MS);
}

/**
 * Returns a channel's health after these attempts, in the order of their times; the same object if nothing changes. The first accepted message ends a
 * failing period.
 */
export function afterOutcomes(health: ChannelHealth, outcomes: Outcome[]): ChannelHealth {
  const inOrder = outcomes.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return inOrder.reduce(
    (known, outcome) =>
      outcome.error === null ? afterSuccess(known, outcome.at) : review(afterFailure(known, outcome), outcome.at),
    health,
  );
}
