import { seal, unseal } from '@/server/platform/crypto';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { DAY_MS } from '@/server/time/schema';
import { type ChannelType, channelDefinitionOf } from '../providers/definitions';

export const LINK_LIFE_MS = 7 * DAY_MS;
/** Distinguishes the token from other sealed texts. */
const PURPOSE = 'acknowledge';

/** An incident and how often it had been reopened when the message was sent. A link or button from before a later reopening has no effect. */
export interface Opening {
  incidentId: string;
  opening: number;
}

/** The target of a link or button: one incident, or the incidents of a message (`AcknowledgeGroup`). */
export type AcknowledgeTarget = Opening | { groupId: string };

/** The content of an acknowledge link's token. */
export interface AcknowledgeLink {
  target: AcknowledgeTarget;
  channelId: string;
}

/** The form of a button's value. Its length is bounded for any number of incidents, and fits into the 64 bytes that Telegram allows. */
const TARGET = /^(?:group\.(?<group>\w{1,64})|(?<incident>\w{1,64})(?:\.(?<opening>\d{1,9}))?)$/;

function toButton(target: AcknowledgeTarget): string {
  return 'groupId' in target ? `group.${target.groupId}` : `${target.incidentId}.${target.opening}`;
}

/** Parses the value of a pressed button; null for any other text. Messages of earlier versions name only the incident, without its reopenings. */
export function readButton(value: string): AcknowledgeTarget | null {
  const { group, incident, opening = '0' } = TARGET.exec(value)?.groups ?? {};
  if (group) return { groupId: group };
  return incident ? { incidentId: incident, opening: Number(opening) } : null;
}

/**
 * Creates a token with which its holder can acknowledge the target for a week. The token is sealed instead of stored, and short because it is also
 * sent by SMS.
 */
export function newAcknowledgeToken({ target, channelId }: AcknowledgeLink): string {
  return seal([PURPOSE, toButton(target), channelId, Date.now() + LINK_LIFE_MS].join(':'));
}

/**
 * Decrypts a token and returns its content.
 * @throws AppError NOT_FOUND (an invalid or expired token)
 */
export function readAcknowledgeToken(token: string): AcknowledgeLink {
  try {
    const [purpose, button = '', channelId, expiresAt] = unseal(token).split(':');
    const target = readButton(button);
    if (purpose === PURPOSE && target && channelId && Number(expiresAt) >= Date.now()) return { target, channelId };
  } catch {
    // The token was altered, or sealed under another APP_SECRET.
  }
  throw acknowledgeLinkInvalid();
}

export function acknowledgeLinkInvalid(): AppError {
  return new AppError('NOT_FOUND', 'This link is no longer valid. Open the incident in Upwatch to acknowledge it.');
}

/** The link and the button with which the reader of a message acknowledges it. */
export interface Acknowledging {
  /** The page that asks for confirmation before it acknowledges. */
  acknowledgeUrl: string;
  /** The value of a button, for kinds that support buttons. */
  button: string;
}

/** Returns the link and the button of a message; empty for kinds whose receivers are machines. */
export function acknowledgingOf(
  target: AcknowledgeTarget,
  { id: channelId, type }: { id: string; type: ChannelType },
): Acknowledging | Record<string, never> {
  if (channelDefinitionOf(type).mirrorsIncidents) return {};
  const token = newAcknowledgeToken({ target, channelId });
  return { acknowledgeUrl: `${env.appUrl}/acknowledge/${token}`, button: toButton(target) };
}
