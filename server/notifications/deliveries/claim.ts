import { db, type Tx } from '@/server/platform/db';
import { channelDefinitionOf } from '../providers/definitions';
import { quietUntil } from '../rules/quiet-until';
import { QuietHours } from '../schema';
import {
  type Claim,
  claimDue,
  type Destination,
  LastMessage,
  type Passing,
  postpone,
  readDestination,
} from './claim-queries';
import { endReminders } from './end-reminder-queries';
import { nextSendAt, type Pace, partsAllowed } from './pace';
import { queueChannels } from './queue-queries';

/** The most due deliveries in one claim: of a group, which becomes one message, and of messages that are sent concurrently. */
const MOST_GROUPED = 1_000;
const MOST_AT_ONCE = 100;

/** A message can be edited for this many grouping windows. Later events get a new message, because an edit notifies nobody. */
const OPEN_FOR = 2;

/** Messages that waited for a paused channel are spread over this share of the pause: at least a second, at most a minute. */
const SPREAD = 0.2;

/** The deliveries that a sender has claimed, and how they are sent. */
export interface Turn {
  destination: Destination;
  claims: Claim[];
  /** How the claims become one message, or a few if the provider's limits require it; null if each is sent by itself. */
  group: { most: number; open: LastMessage | null } | null;
  /** Whether more may be due. */
  isMore: boolean;
}

const toPace = ({ recentSends: recent, groupSeconds, maxPerMinute }: Destination): Pace => ({
  recent,
  windowMs: groupSeconds * 1000,
  maxPerMinute,
});

/** Returns the last message if later events are still added to it. */
function openMessage({ lastMessage, groupSeconds, now }: Destination): LastMessage | null {
  const last = LastMessage.nullable().parse(lastMessage);
  return last && now.getTime() - last.at.getTime() <= OPEN_FOR * groupSeconds * 1000 ? last : null;
}

const latest = (at: Date, other: Date | null) => (other !== null && other > at ? other : at);

interface Held {
  /** Whether the channel's messages are grouped. */
  isGroup: boolean;
  /** What may be claimed: a delivery that is committed after the others were postponed must wait like them. */
  passing: Passing;
}

/**
 * Applies the rules of a channel that does not mirror incidents: ends outdated reminders, postpones deliveries in quiet hours, and decides whether
 * the others are grouped.
 */
async function applyRules(tx: Tx, destination: Destination): Promise<Held> {
  const { channelId, now, quietHours, groupSeconds, hasReminders } = destination;
  if (hasReminders) await endReminders(tx, channelId, now);
  let passing: Passing = 'all';
  if (quietHours !== null) {
    const hours = QuietHours.parse(quietHours);
    const until = quietUntil(hours, now);
    if (until) {
      passing = hours.sendsCritical ? 'tests and critical' : 'tests';
      await postpone(tx, destination, { until, except: passing, isQuiet: true });
    }
  }
  if (groupSeconds > 0) return { isGroup: true, passing };
  // What quiet hours held becomes one message, even if alerts are not grouped.
  const where = { channelId, status: 'pending', hold: { not: null }, nextAttemptAt: { lte: now } } as const;
  return { isGroup: (await tx.delivery.findFirst({ where, select: { id: true } })) !== null, passing };
}

/** Postpones due deliveries that have to wait for the end of quiet hours, for the channel's pace or for a pause that the receiver asked for. */
async function holdBack(tx: Tx, destination: Destination): Promise<Held> {
  const { type, now, retryAfter } = destination;
  const isMirror = channelDefinitionOf(type).mirrorsIncidents;
  const { isGroup, passing }: Held = isMirror ? { isGroup: false, passing: 'all' } : await applyRules(tx, destination);
  const until = isGroup ? latest(nextSendAt(toPace(destination), now), retryAfter) : latest(now, retryAfter);
  const waitMs = until.getTime() - now.getTime();
  const spreadMs = isGroup ? 0 : Math.min(60_000, Math.max(1_000, SPREAD * waitMs));
  if (waitMs <= 0) return { isGroup, passing };
  await postpone(tx, destination, { until, spreadMs, except: 'tests' });
  return { isGroup, passing: 'tests' };
}

/**
 * Claims the deliveries that a channel sends now, under the lock of its row, so that only one of two senders gets a delivery. Sets the channel's
 * timer in the same transaction: if this process dies, it runs at the end of the lease.
 * @returns null if there is nothing to send, or another sender has the channel
 */
export function claim(channelId: string): Promise<Turn | null> {
  return db.$transaction(async (tx) => {
    const destination = await readDestination(tx, channelId, { lock: true });
    if (!destination) return null;
    const { now, sendingUntil } = destination;
    if (sendingUntil !== null && sendingUntil > now) {
      await queueChannels(tx, [channelId], { notBefore: sendingUntil });
      return null;
    }
    const { isGroup, passing } = await holdBack(tx, destination);
    const most = isGroup ? MOST_GROUPED : MOST_AT_ONCE;
    const claims = await claimDue(tx, destination, { isGroup, most, passing });
    const [first] = claims;
    const isMore = !isGroup && claims.length === most;
    // A group has one sender at a time, and a sender that leaves something due claims again.
    await queueChannels(tx, [channelId], { notBefore: first && (isGroup || isMore) ? first.leaseUntil : null });
    if (!first) return null;
    const group = isGroup ? { most: partsAllowed(toPace(destination), now), open: openMessage(destination) } : null;
    return { destination, claims, group, isMore };
  });
}
