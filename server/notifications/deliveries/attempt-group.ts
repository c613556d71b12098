import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { db, type Tx } from '@/server/platform/db';
import { storeAcknowledgeGroup } from '../acknowledgments/acknowledge-group';
import { type GroupMessage, type Single, toGroupMessages } from '../messages/group-message';
import type { Message } from '../messages/message';
import { send, update } from '../providers';
import { textLimitOf } from '../providers/definitions';
import { quietUntil } from '../rules/quiet-until';
import { type ChannelConfig, QuietHours } from '../schema';
import { attemptDeliveries, prepare, SEND_WITHIN_MS } from './attempt-deliveries';
import type { DeliveryClaim } from './delivery-queries';
import { endReminders } from './end-reminder-queries';
import {
  type ChannelPace,
  claimGroup,
  findPending,
  holdQuiet,
  isAnyDue,
  isHeldDue,
  LastMessage,
  lockPace,
  makeWait,
  nextDue,
  readSent,
  releaseGroup,
} from './group-queries';
import { nextSendAt, type Pace, partsAllowed } from './pace';
import type { Schedule } from './queue-deliveries';
import { queueGroup } from './queue-deliveries';
import { recordApart } from './record-apart';
import type { Attempted } from './record-attempts';
import { sendIfPermitted } from './send-if-permitted';

/** What a sender may do now: send a batch in a limited number of messages, or nothing, because another sender has the channel or the channel waits. */
type Turn =
  | { kind: 'send'; claims: DeliveryClaim[]; most: number; open: LastMessage | null }
  | { kind: 'wait' }
  | { kind: 'apart' };

type Sending = Extract<Turn, { kind: 'send' }>;

const toPace = ({ recentSends: recent, groupSeconds, maxPerMinute }: ChannelPace): Pace => ({
  recent,
  windowMs: groupSeconds * 1000,
  maxPerMinute,
});

/**
 * Holds due deliveries in quiet hours.
 * @returns whether any were held
 */
async function holdBack(tx: Tx, channelId: string, { quietHours, now }: ChannelPace): Promise<boolean> {
  if (quietHours === null) return false;
  const hours = QuietHours.parse(quietHours);
  const until = quietUntil(hours, now);
  return until !== null && holdQuiet(tx, channelId, until, hours.sendsCritical);
}

/** The number of messages that are built before the thread yields. */
const AT_ONCE = 25;

/** A message can be edited for this many grouping windows. Later events get a new message, because an edit notifies nobody. */
const OPEN_FOR = 2;

/** Returns the last message if later events are still added to it. */
function openMessage({ lastMessage, groupSeconds, now }: ChannelPace): LastMessage | null {
  const last = LastMessage.nullable().parse(lastMessage);
  return last && now.getTime() - last.at.getTime() <= OPEN_FOR * groupSeconds * 1000 ? last : null;
}

const latest = (at: Date, other: Date | null) => (other !== null && other > at ? other : at);

/**
 * Decides what the sender may do while the channel is locked, so that only one of two senders sends. A channel with pending messages always has a
 * job: when the sender's claim ends, when the waiting ends, or at the next attempt.
 */
async function takeTurn(channelId: string): Promise<Turn> {
  return db.$transaction(async (tx) => {
    const row = await lockPace(tx, channelId);
    if (!row) return { kind: 'wait' };
    const { now, sendingUntil } = row;
    if (sendingUntil !== null && sendingUntil > now) return { kind: 'wait' };
    const isEnded = await endReminders(tx, channelId);
    const isHeld = await holdBack(tx, channelId, row);
    const isChanged = isEnded || isHeld;
    if (row.groupSeconds === 0 && !(await isHeldDue(tx, channelId))) {
      if (isChanged) await queueGroup(tx, channelId, await nextDue(tx, channelId));
      return { kind: 'apart' };
    }
    const pace = toPace(row);
    const sendAt = latest(nextSendAt(pace, now), row.retryAfter);
    if (sendAt > now) {
      const isNew = await makeWait(tx, channelId, sendAt);
      if (isNew || isChanged) await queueGroup(tx, channelId, await nextDue(tx, channelId));
      return { kind: 'wait' };
    }
    const claims = await claimGroup(tx, channelId);
    await queueGroup(tx, channelId, claims[0]?.leaseUntil ?? (await nextDue(tx, channelId)));
    return { kind: 'send', claims, most: partsAllowed(pace, now), open: openMessage(row) };
  });
}

interface Outcome {
  attempted: Attempted[];
  sent: number;
  /** The last message, if later events may be added to it. */
  lastMessage: LastMessage | null;
}

interface Readable {
  claim: DeliveryClaim;
  message: Message;
  config: ChannelConfig;
}

const toSingles = (readable: Readable[]): Single[] =>
  readable.map(({ claim: { id, opening }, message }) => ({ id, opening, message }));

/** Stores the incidents that a message acknowledges, before its link can be followed. */
async function storeGroup({ message, openings }: GroupMessage, channelId: string): Promise<void> {
  if (openings.length > 0) await storeAcknowledgeGroup(db, { id: message.id, channelId, openings });
}

/**
 * Adds a batch to the last message.
 * @returns null if the text does not fit, or the message no longer exists
 */
async function addTo(open: LastMessage, readable: Readable[], signal: AbortSignal): Promise<Outcome | null> {
  const [first] = readable;
  if (!first) return null;
  const { type, teamId, channelId } = first.claim;
  const sent = (await readSent(open.ids)).map((each) => ({ ...first.claim, ...each }));
  const earlier = toSingles((await prepareAll(sent)).readable);
  const [group, ...others] = toGroupMessages([...earlier, ...toSingles(readable)], {
    channel: { id: channelId, type },
    textLimit: textLimitOf(type),
    most: 2,
  });
  if (!group || others.length > 0 || earlier.length < open.ids.length) return null;
  await storeGroup(group, channelId);
  const startedAt = performance.now();
  const change = () => update(type, open.ref, group.message, first.config, { signal, teamId, withExchange: true });
  const result = await sendIfPermitted(first.claim, first.config, change);
  if (!result.ok) return null;
  const durationMs = Math.round(performance.now() - startedAt);
  const attempted = readable.map(({ claim }) => ({ claim, durationMs, result }));
  const lastMessage = { ref: result.ref ?? open.ref, at: open.at, ids: group.ids };
  return { attempted, sent: 1, lastMessage };
}

interface Prepared {
  readable: Readable[];
  unreadable: Attempted[];
}

/** Builds the message of each claim, a few at a time, because a thousand with long texts block the thread for half a second. */
async function prepareAll(claims: DeliveryClaim[]): Promise<Prepared> {
  const all: Prepared = { readable: [], unreadable: [] };
  for (const [index, claim] of claims.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
    const prepared = prepare(claim);
    if ('error' in prepared) all.unreadable.push({ claim, durationMs: 0, result: prepared });
    else all.readable.push({ claim, ...prepared });
  }
  return all;
}

/** Sends the messages in sequence. The first failure ends the batch, so that a failing receiver gets one message per attempt. */
async function sendBatch({ claims, most, open }: Sending, signal: AbortSignal): Promise<Outcome> {
  const { readable, unreadable: attempted } = await prepareAll(claims);
  const [first] = readable;
  if (!first) return { attempted, sent: 0, lastMessage: open };
  const added = open && (await addTo(open, readable, signal));
  if (added) return { ...added, attempted: [...attempted, ...added.attempted] };
  const { type, teamId, channelId } = first.claim;
  const limits = { channel: { id: channelId, type }, textLimit: textLimitOf(type), most };
  const byId = new Map(readable.map(({ claim }) => [claim.id, claim]));
  let sent = 0;
  let lastMessage: LastMessage | null = null;
  for (const group of toGroupMessages(toSingles(readable), limits)) {
    const { ids, message } = group;
    await storeGroup(group, channelId);
    const startedAt = performance.now();
    const deliver = () => send(type, message, first.config, { signal, teamId, withExchange: true });
    const result = await sendIfPermitted(first.claim, first.config, deliver);
    const durationMs = Math.round(performance.now() - startedAt);
    attempted.push(...ids.flatMap((id) => byId.get(id) ?? []).map((claim) => ({ claim, durationMs, result })));
    if (!result.ok) break;
    sent += 1;
    lastMessage = result.ref === undefined || sent > 1 ? null : { ref: result.ref, at: first.claim.at, ids };
  }
  return { attempted, sent, lastMessage };
}

/** No follow-up job per delivery: the channel has one job, which is queued when its claim is released. */
const withoutJobs: Schedule = async () => undefined;

/**
 * Sends the due deliveries of a channel as one message, or as a few if the provider's limits require it, and records an attempt for each delivery.
 * Does nothing while another sender has the channel, or while it waits to group more deliveries. If the process dies, the batch stays pending and
 * is sent again when the claim expires.
 * @param ids the deliveries that the job was queued for; null for all of the channel
 * @returns deliveries to schedule for later; none for a grouped channel, which has a job of its own
 */
export async function attemptGroup(
  channelId: string,
  ids: string[] | null,
  schedule: Schedule,
  stop: AbortSignal,
): Promise<{ id: string; runAt: Date }[]> {
  if (ids && !(await isAnyDue(ids))) return [];
  const turn = await takeTurn(channelId);
  if (turn.kind === 'apart') return attemptDeliveries(ids ?? (await findPending(channelId)), schedule, stop);
  if (turn.kind === 'wait') return [];
  const [claim] = turn.claims;
  if (!claim) return [];
  const signal = AbortSignal.any([AbortSignal.timeout(SEND_WITHIN_MS), stop]);
  const { attempted, sent, lastMessage } = await sendBatch(turn, signal);
  await recordApart(attempted, withoutJobs);
  const done = new Set(attempted.map(({ claim: { id } }) => id));
  const leftIds = turn.claims.map(({ id }) => id).filter((id) => !done.has(id));
  await db.$transaction(async (tx) => {
    if (!(await lockPace(tx, channelId))) return;
    await releaseGroup(tx, channelId, { leaseUntil: claim.leaseUntil, sent, leftIds, lastMessage });
    await queueGroup(tx, channelId, await nextDue(tx, channelId));
  });
  return [];
}
