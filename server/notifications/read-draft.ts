import { UnknownKeyError } from '@/server/platform/crypto';
import { invalidField } from '@/server/platform/errors';
import type { TeamContext } from '@/server/trpc/contexts';
import { openConfig, parseConfig, type StoredConfig, sealConfig } from './config-secrets';
import type { ChannelConfig, ChannelType } from './providers/definitions';
import { findChannel } from './queries';
import type { ChannelDraft } from './schema';

/** Settings that may not be saved yet. */
interface Draft {
  type: ChannelType;
  /** Includes the secrets. */
  config: ChannelConfig;
  /** The stored channel that the settings change, or null for a new one. */
  stored: Awaited<ReturnType<typeof findChannel>> | null;
}

function open(type: ChannelType, config: StoredConfig): ChannelConfig {
  try {
    return openConfig(type, config);
  } catch (error) {
    if (error instanceof UnknownKeyError) {
      throw invalidField('config', 'The stored secrets could not be decrypted. Enter them again.');
    }
    throw error;
  }
}

/**
 * Returns the settings of a channel to test or preview. A config in the input is used as a whole, with stored secrets in place of their masks;
 * without one, the stored config is used. The type of a stored channel cannot be changed.
 * @param ownerId for a contact method of this member instead of a channel of the team
 * @throws AppError NOT_FOUND, VALIDATION_ERROR
 */
export async function readDraft(
  { db, team }: TeamContext,
  { id, type, config }: ChannelDraft,
  ownerId: string | null = null,
): Promise<Draft> {
  const stored = id === undefined ? null : await findChannel(db, team.id, id, ownerId);
  if (stored && type !== undefined && type !== stored.type)
    throw invalidField('type', 'The type of a channel cannot change.');
  const kind = stored?.type ?? type;
  if (kind === undefined) throw invalidField('type', 'Send the ID of a channel, or a type and a config.');
  const known = (stored?.config ?? {}) as StoredConfig;
  const used = config === undefined && stored ? known : sealConfig(kind, parseConfig(kind, config), known);
  return { type: kind, config: open(kind, used), stored };
}
