import { seal, unseal } from '@/server/platform/crypto';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { DAY_MS } from '@/server/time/schema';
import type { EventPayload } from './event';
import { type ChannelType, channelDefinitionOf } from './providers/definitions';

const LIFE_MS = 7 * DAY_MS;
/** Distinguishes the token from other sealed texts. */
const PURPOSE = 'acknowledge';

/** The incident of a link, and the channel that it was sent to. */
export interface AcknowledgeLink {
  incidentId: string;
  channelId: string;
}

/** A token with which its holder can acknowledge an incident for a week. Sealed, not stored; short, because it is sent by SMS too. */
export function newAcknowledgeToken({ incidentId, channelId }: AcknowledgeLink): string {
  return seal([PURPOSE, incidentId, channelId, Date.now() + LIFE_MS].join(':'));
}

/**
 * The content of a token.
 * @throws AppError NOT_FOUND (an invalid or expired token)
 */
export function readAcknowledgeToken(token: string): AcknowledgeLink {
  try {
    const [purpose, incidentId, channelId, expiresAt] = unseal(token).split(':');
    if (purpose === PURPOSE && incidentId && channelId && Number(expiresAt) >= Date.now()) {
      return { incidentId, channelId };
    }
  } catch {
    // Altered, or sealed under another APP_SECRET.
  }
  throw acknowledgeLinkInvalid();
}

export function acknowledgeLinkInvalid(): AppError {
  return new AppError('NOT_FOUND', 'This link is no longer valid. Open the incident in Upwatch to acknowledge it.');
}

/** The page that asks to acknowledge an event's incident. Undefined unless it is open, and for kinds that people do not read. */
export function acknowledgeUrlOf(
  { data: { incident } }: EventPayload,
  { id, type }: { id: string; type: ChannelType },
): string | undefined {
  if (incident?.status !== 'open' || channelDefinitionOf(type).mirrorsIncidents) return undefined;
  return `${env.appUrl}/acknowledge/${newAcknowledgeToken({ incidentId: incident.id, channelId: id })}`;
}
