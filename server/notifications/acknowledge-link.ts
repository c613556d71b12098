import { seal, unseal } from '@/server/platform/crypto';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { DAY_MS } from '@/server/time/schema';
import { type ChannelType, channelDefinitionOf } from './providers/definitions';

export const LINK_LIFE_MS = 7 * DAY_MS;
/** Distinguishes the token from other sealed texts. */
const PURPOSE = 'acknowledge';

/** An incident since it was last opened: with how often it had been reopened. What was sent before a reopening does not act on it. */
export interface Opening {
  incidentId: string;
  opening: number;
}

/** What a link or a button acknowledges: one incident, or the incidents of a message (`AcknowledgeGroup`). */
export type AcknowledgeTarget = Opening | { groupId: string };

/** A link of a message to a channel. */
export interface AcknowledgeLink {
  target: AcknowledgeTarget;
  channelId: string;
}

/** The same length for any number of incidents, and within the 64 bytes of a button of Telegram. */
const TARGET = /^(?:group\.(?<group>\w{1,64})|(?<incident>\w{1,64})(?:\.(?<opening>\d{1,9}))?)$/;

function toButton(target: AcknowledgeTarget): string {
  return 'groupId' in target ? `group.${target.groupId}` : `${target.incidentId}.${target.opening}`;
}

/** What the button of a message acknowledges, by its value; null for any other text. Messages of earlier versions name the incident alone. */
export function readButton(value: string): AcknowledgeTarget | null {
  const { group, incident, opening = '0' } = TARGET.exec(value)?.groups ?? {};
  if (group) return { groupId: group };
  return incident ? { incidentId: incident, opening: Number(opening) } : null;
}

/** A token with which its holder can acknowledge for a week. Sealed, not stored; short, because it is sent by SMS too. */
export function newAcknowledgeToken({ target, channelId }: AcknowledgeLink): string {
  return seal([PURPOSE, toButton(target), channelId, Date.now() + LINK_LIFE_MS].join(':'));
}

/**
 * The content of a token.
 * @throws AppError NOT_FOUND (an invalid or expired token)
 */
export function readAcknowledgeToken(token: string): AcknowledgeLink {
  try {
    const [purpose, button = '', channelId, expiresAt] = unseal(token).split(':');
    const target = readButton(button);
    if (purpose === PURPOSE && target && channelId && Number(expiresAt) >= Date.now()) return { target, channelId };
  } catch {
    // Altered, or sealed under another APP_SECRET.
  }
  throw acknowledgeLinkInvalid();
}

export function acknowledgeLinkInvalid(): AppError {
  return new AppError('NOT_FOUND', 'This link is no longer valid. Open the incident in Upwatch to acknowledge it.');
}

/** How the reader of a message acknowledges what it is about. */
export interface Acknowledging {
  /** The page that asks. */
  acknowledgeUrl: string;
  /** The value of a button, for kinds that have some. */
  button: string;
}

/** How a message to a channel acknowledges; nothing for kinds that people do not read. */
export function acknowledgingOf(
  target: AcknowledgeTarget,
  { id: channelId, type }: { id: string; type: ChannelType },
): Acknowledging | Record<string, never> {
  if (channelDefinitionOf(type).mirrorsIncidents) return {};
  const token = newAcknowledgeToken({ target, channelId });
  return { acknowledgeUrl: `${env.appUrl}/acknowledge/${token}`, button: toButton(target) };
}
