import type { Db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { openConfig } from '../config-secrets';
import type { Callback, CallbackRequest } from '../providers/callback';
import { type CallbackType, callbackReaderOf, isCallbackType } from '../providers/callbacks';

/** An authentic callback and its channel. */
export interface ChannelCallback extends Callback {
  channelId: string;
  teamId: string;
  /** Whether the config of another channel has the same app's signing secret. */
  isOf(config: unknown): boolean;
  type: CallbackType;
}

/** Reads a callback with the stored config of a channel. A config that cannot be decrypted has no secret to verify with; deliveries show that error. */
function readWith(type: CallbackType, request: CallbackRequest, stored: unknown): Callback | null {
  try {
    return callbackReaderOf(type)(request, openConfig(type, stored));
  } catch {
    return null;
  }
}

/**
 * Reads a request to the callback URL of a channel.
 * @throws AppError UNAUTHENTICATED, the same for a channel that does not exist and for a wrong signature
 */
export async function readCallback(
  db: Db,
  { type, channelId, request }: { type: string; channelId: string; request: CallbackRequest },
): Promise<ChannelCallback> {
  if (isCallbackType(type)) {
    const channel = await db.channel.findFirst({
      where: { id: channelId, type },
      select: { teamId: true, config: true },
    });
    const { teamId = null } = channel ?? {};
    const callback = channel && readWith(type, request, channel.config);
    if (callback && teamId !== null) {
      return {
        ...callback,
        type,
        channelId,
        teamId,
        isOf: (config) => readWith(type, request, config) !== null,
      };
    }
  }
  throw new AppError('UNAUTHENTICATED', 'The URL or the signature of this callback is not valid.');
}
