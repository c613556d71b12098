import { setMaxListeners } from 'node:events';
import { performance } from 'node:perf_hooks';
import { ZodError } from 'zod';
import { UnknownKeyError } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { log } from '@/server/platform/log';
import { takeLoopTurn } from '@/server/platform/loop-share';
import { OwnError } from '@/server/platform/own-error';
import { openSecret, type SealedSecret } from '@/server/platform/secrets';
import { storeAcknowledgeGroup } from '../acknowledgments/acknowledge-group';
import { openConfig } from '../config-secrets';
import { EventPayload } from '../messages/event';
import { type GroupMessage, type Single, toGroupMessages } from '../messages/group-message';
import type { Message } from '../messages/message';
import { toMessage } from '../messages/to-message';
import { send, update } from '../providers';
import { textLimitOf } from '../providers/definitions';
import type { SendResult } from '../providers/provider';
import { type ChannelConfig, ChannelTemplates, type ChannelType } from '../schema';
import type { Turn } from './claim';
import { type Claim, type Destination, type LastMessage, type Release, readSent } from './claim-queries';
import { recordApart } from './record-apart';
import type { Attempted } from './record-attempts';
import { sendIfPermitted } from './send-if-permitted';

/** The time limit of all sends of a turn. Longer than the timeout of any provider. */
export const SEND_WITHIN_MS = 15_000;

/** The payload was written by another version and cannot be read. */
class UnreadableMessageError extends OwnError {
  static override readonly kind: string = 'UnreadableMessageError';
}

function readPayload(payload: unknown): EventPayload {
  const parsed = EventPayload.safeParse(payload);
  if (!parsed.success) throw new UnreadableMessageError(parsed.error.message, { cause: parsed.error });
  return parsed.data;
}

type Unreadable = Extract<SendResult, { ok: false }>;

/** Reads what a delivery needs to be sent. If reading throws, logs the error and returns it as the failed result of the delivery. */
function readOrFail<T>(read: () => T, about: object): T | Unreadable {
  try {
    return read();
  } catch (error) {
    log.error({ err: error, ...about }, 'A message or the config of its channel could not be read');
    const isOurs = error instanceof UnknownKeyError;
    // A payload of another version is retried for a day, because a worker of that version may read it. An unreadable config stays so until it is
    // saved again, so the fallback gets the messages.
    const permanent = !isOurs && !(error instanceof UnreadableMessageError);
    return { ok: false, permanent, isOurs, statusCode: null, error: unreadableReason(error) };
  }
}

type Opened = { channel: { id: string; type: ChannelType; templates: ChannelTemplates }; config: ChannelConfig };

const openDestination = ({ channelId: id, type, config, templates }: Destination) =>
  readOrFail(
    (): Opened => ({
      channel: { id, type, templates: ChannelTemplates.parse(templates) },
      config: openConfig(type, config),
    }),
    { channelId: id },
  );

const readMessage = ({ id, opening, payload }: Pick<Claim, 'id' | 'opening' | 'payload'>, { channel }: Opened) =>
  readOrFail(() => toMessage(id, readPayload(payload), channel, opening), { deliveryId: id });

function unreadableReason(error: unknown): string {
  if (error instanceof UnreadableMessageError) return 'This version of Upwatch cannot read the message';
  // An earlier version accepted this config.
  const issue = error instanceof ZodError ? error.issues[0]?.message : undefined;
  return issue === undefined
    ? 'The settings of this channel could not be decrypted. Save them again'
    : `The settings of this channel are not valid: ${issue.replace(/\.$/, '')}`;
}

/**
 * Returns the signing secret before the last rotation, as an option of `send`. Empty if it is no longer valid or cannot be decrypted; then only the
 * current one signs.
 */
function alsoSignedWith({ previousSecret }: Destination): { alsoSignedWith?: string } {
  if (previousSecret === null) return {};
  try {
    return { alsoSignedWith: openSecret(previousSecret as SealedSecret) };
  } catch {
    return {};
  }
}

interface Readable {
  claim: Claim;
  message: Message;
  config: ChannelConfig;
}

/** Builds the message of each claim. Returns a failed attempt for each claim whose payload, or whose channel's config, cannot be read. */
async function prepareAll(
  destination: Destination,
  claims: Claim[],
): Promise<{ readable: Readable[]; unreadable: Attempted[] }> {
  const readable: Readable[] = [];
  const unreadable: Attempted[] = [];
  const opened = openDestination(destination);
  const fail = (claim: Claim, result: Unreadable) => unreadable.push({ claim, durationMs: 0, result });
  for (const claim of claims) {
    if ('error' in opened) {
      fail(claim, opened);
      continue;
    }
    await takeLoopTurn(destination.teamId);
    const message = readMessage(claim, opened);
    if ('error' in message) fail(claim, message);
    else readable.push({ claim, message, config: opened.config });
  }
  return { readable, unreadable };
}

/** Sends or edits one message by `work`, and returns it as an attempt of each delivery that the message contains. */
async function attempt(
  destination: Destination,
  { readable, work }: { readable: Readable[]; work: (config: ChannelConfig) => Promise<SendResult> },
): Promise<{ attempted: Attempted[]; result: SendResult }> {
  const [first] = readable;
  if (!first) throw new Error('There is no delivery to attempt.');
  const startedAt = performance.now();
  const about = { ...destination, event: first.claim.event };
  const result = await sendIfPermitted(about, first.config, () => work(first.config));
  const durationMs = Math.round(performance.now() - startedAt);
  return { attempted: readable.map(({ claim }) => ({ claim, durationMs, result })), result };
}

const optionsOf = (destination: Destination, signal: AbortSignal) => ({
  signal,
  teamId: destination.teamId,
  reader: destination,
  withExchange: true,
  ...alsoSignedWith(destination),
});

/**
 * Sends each message by itself, all at the same time, and records each as soon as its outcome is known, batched with others.
 * @throws the first error of recording, after all messages were sent
 */
export async function sendEach(
  destination: Destination,
  claims: Claim[],
  { signal, notBefore }: { signal: AbortSignal; notBefore: () => Date | null },
): Promise<void> {
  const options = optionsOf(destination, signal);
  const made: Attempted[] = [];
  let recording: Promise<void> = Promise.resolve();
  const record = (attempted: Attempted[]) => {
    made.push(...attempted);
    // If one attempt cannot be recorded, its delivery is sent again; the others are still recorded.
    recording = recording
      .catch(() => undefined)
      .then(() => recordApart(destination, made.splice(0), { notBefore: notBefore() }));
    return recording;
  };
  const { readable, unreadable } = await prepareAll(destination, claims);
  const settled = await Promise.allSettled([
    ...(unreadable.length > 0 ? [record(unreadable)] : []),
    ...readable.map(async (each) => {
      const work = (config: ChannelConfig) => send(destination.type, each.message, config, options);
      await record((await attempt(destination, { readable: [each], work })).attempted);
    }),
  ]);
  const failed = settled.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}

interface Outcome {
  attempted: Attempted[];
  sent: number;
  /** The last message, if later events may be added to it. */
  lastMessage: LastMessage | null;
}

const toSingles = (readable: Readable[]): Single[] =>
  readable.map(({ claim: { id, opening }, message }) => ({ id, opening, message }));

/** Stores which incidents the acknowledge link of a group's message acknowledges. Runs before the message is sent, so that the link works at once. */
async function storeGroup({ message, openings }: GroupMessage, channelId: string): Promise<void> {
  if (openings.length > 0) await storeAcknowledgeGroup(db, { id: message.id, channelId, openings });
}

/**
 * Edits the last message so that it contains a batch too.
 * @returns null if the text does not fit, an earlier delivery cannot be read any more, or the provider did not accept the edit
 */
async function addTo(
  open: LastMessage,
  destination: Destination,
  { readable, signal }: { readable: Readable[]; signal: AbortSignal },
): Promise<Outcome | null> {
  const { type, channelId } = destination;
  const opened = openDestination(destination);
  if ('error' in opened) return null;
  const earlier = (await readSent(open.ids)).flatMap((sent) => {
    const message = readMessage(sent, opened);
    return 'error' in message ? [] : [{ id: sent.id, opening: sent.opening, message }];
  });
  const [group, ...others] = toGroupMessages([...earlier, ...toSingles(readable)], {
    channel: { id: channelId, type },
    textLimit: textLimitOf(type),
    most: 2,
  });
  if (!group || others.length > 0 || earlier.length < open.ids.length) return null;
  await storeGroup(group, channelId);
  const work = (config: ChannelConfig) => update(type, open.ref, group.message, config, optionsOf(destination, signal));
  const { attempted, result } = await attempt(destination, { readable, work });
  if (!result.ok) return null;
  return { attempted, sent: 1, lastMessage: { ref: result.ref ?? open.ref, at: open.at, ids: group.ids } };
}

/**
 * Adds a group to the last message if that can still be edited, or else sends it as one message or a few in sequence. The first failure ends the
 * batch, so that a failing receiver gets one message per attempt.
 */
async function sendParts(
  { destination, claims, group }: { destination: Destination; claims: Claim[]; group: NonNullable<Turn['group']> },
  signal: AbortSignal,
): Promise<Outcome> {
  const { type, channelId, now: at } = destination;
  const { readable, unreadable: attempted } = await prepareAll(destination, claims);
  if (readable.length === 0) return { attempted, sent: 0, lastMessage: group.open };
  const added = group.open && (await addTo(group.open, destination, { readable, signal }));
  if (added) return { ...added, attempted: [...attempted, ...added.attempted] };
  const byId = new Map(readable.map((each) => [each.claim.id, each]));
  const limits = { channel: { id: channelId, type }, textLimit: textLimitOf(type), most: group.most };
  let sent = 0;
  let lastMessage: LastMessage | null = null;
  for (const part of toGroupMessages(toSingles(readable), limits)) {
    const { ids, message } = part;
    await storeGroup(part, channelId);
    const work = (config: ChannelConfig) => send(type, message, config, optionsOf(destination, signal));
    const made = await attempt(destination, { readable: ids.flatMap((id) => byId.get(id) ?? []), work });
    attempted.push(...made.attempted);
    if (!made.result.ok) break;
    sent += 1;
    lastMessage = made.result.ref === undefined || sent > 1 ? null : { ref: made.result.ref, at, ids };
  }
  return { attempted, sent, lastMessage };
}

/** Sends a group, records an attempt for each of its deliveries, and releases the channel. */
async function sendGroup(
  destination: Destination,
  { claims, group }: { claims: Claim[]; group: NonNullable<Turn['group']> },
  signal: AbortSignal,
): Promise<void> {
  const [first] = claims;
  if (!first) return;
  const { attempted, sent, lastMessage } = await sendParts({ destination, claims, group }, signal);
  const done = new Set(attempted.map(({ claim: { id } }) => id));
  const leftIds = claims.map(({ id }) => id).filter((id) => !done.has(id));
  const release: Release = { leaseUntil: first.leaseUntil, sent, leftIds, lastMessage };
  await recordApart(destination, attempted, { release, notBefore: null });
}

/**
 * Sends the claimed deliveries of a channel, outside any transaction, and records the attempts. A process that dies leaves the deliveries pending:
 * they are sent again, under the same ID, once the claim expires (at-least-once).
 * @param notBefore the earliest time of the channel's next job, while this process claims more by itself
 */
export async function sendTurn(
  { destination, claims, group }: Turn,
  { stop, notBefore }: { stop: AbortSignal; notBefore: () => Date | null },
): Promise<void> {
  const signal = AbortSignal.any([AbortSignal.timeout(SEND_WITHIN_MS), stop]);
  // Every send adds a listener.
  setMaxListeners(0, signal);
  const isAlone = ({ event }: Claim) => group === null || event === 'channel.test';
  const sends = [sendEach(destination, claims.filter(isAlone), { signal, notBefore })];
  if (group) sends.push(sendGroup(destination, { claims: claims.filter((each) => !isAlone(each)), group }, signal));
  const failed = (await Promise.allSettled(sends)).find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}
