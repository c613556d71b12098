import { MINUTE_MS } from '@/server/time/schema';

/** What the attempts of a channel's deliveries say about it. */
export interface ChannelHealth {
  /** The last accepted message, to the minute. */
  deliveredAt: Date | null;
  /** The first failed attempt since the last accepted message. */
  failingSince: Date | null;
  /** The messages that failed since then. */
  failedMessages: number;
  /** When the channel was marked as failing; null while failures are retried only. */
  failedAt: Date | null;
  lastError: string | null;
}

/** The end of one attempt. */
export interface Outcome {
  at: Date;
  /** Null if the message was accepted. */
  error: string | null;
  /** No earlier attempt at this message failed. */
  isFirst: boolean;
  /** The message is not retried. */
  isFinal: boolean;
}

/** A receiver that restarts rejects many messages at once, but not for this long. */
const MANY_MESSAGES = 3;
const MANY_AFTER_MS = MINUTE_MS;
/** One message alone is retried for this long before its channel counts as failing. */
const ONE_AFTER_MS = 10 * MINUTE_MS;
/** Successes are recorded at this resolution, so that a busy channel's row is not written with each. */
export const DELIVERED_RESOLUTION_MS = MINUTE_MS;

function afterSuccess(health: ChannelHealth, at: Date): ChannelHealth {
  const { deliveredAt, failingSince } = health;
  const isNews = !deliveredAt || failingSince || at.getTime() - deliveredAt.getTime() >= DELIVERED_RESOLUTION_MS;
  return {
    deliveredAt: isNews ? at : deliveredAt,
    failingSince: null,
    failedMessages: 0,
    failedAt: null,
    lastError: null,
  };
}

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
 * Marks a channel as failing whose messages have not been accepted for ten minutes, or for one minute if there were three
 * of them. A message that was given up marks it at once.
 */
export function review(health: ChannelHealth, now: Date): ChannelHealth {
  const { failingSince, failedMessages, failedAt } = health;
  if (!failingSince || failedAt) return health;
  const limit = failedMessages >= MANY_MESSAGES ? MANY_AFTER_MS : ONE_AFTER_MS;
  return now.getTime() - failingSince.getTime() >= limit ? { ...health, failedAt: now } : health;
}

/** When a channel has to be reviewed next, even without another attempt; null if it need not be. */
export function nextReview({ failingSince, failedAt }: ChannelHealth, now: Date): Date | null {
  if (!failingSince || failedAt) return null;
  const first = failingSince.getTime() + MANY_AFTER_MS;
  return new Date(now.getTime() < first ? first : failingSince.getTime() + ONE_AFTER_MS);
}

/** A channel's health after these attempts. The first accepted message ends a failing period. */
export function afterOutcomes(health: ChannelHealth, outcomes: Outcome[]): ChannelHealth {
  const inOrder = outcomes.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return inOrder.reduce(
    (known, outcome) =>
      outcome.error === null ? afterSuccess(known, outcome.at) : review(afterFailure(known, outcome), outcome.at),
    health,
  );
}
