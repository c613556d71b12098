import type { Db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { openConfig } from '../config-secrets';
import type { Callback, CallbackRequest } from '../providers/callback';
import { type CallbackType, callbackFormOf, isCallbackType } from '../providers/callbacks';
import type { ChannelConfig } from '../providers/definitions';

/** An authentic callback and its channel. */
export interface ChannelCallback extends Callback {
  channelId: string;
  teamId: string;
  /** Whether the stored config of another channel has the same signing secret, so that it belongs to the same app or bot. */
  isOf(config: unknown): boolean;
  type: CallbackType;
}

/** Decrypts the config of a channel; null if that fails, because then there is no secret to verify with. Deliveries show that error. */
function configOf(type: CallbackType, stored: unknown): ChannelConfig | null {
  try {
    return openConfig(type, stored);
  } catch {
    return null;
  }
}

/**
 * Verifies a request to the callback URL of a channel with the channel's secret, and returns what it requests.
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
    const { read, secretOf } = callbackFormOf(type);
    const config = channel && configOf(type, channel.config);
    const callback = config && read(request, config);
    if (callback && teamId !== null) {
      return {
        ...callback,
        type,
        channelId,
        teamId,
        isOf: (stored) => {
          const other = configOf(type, stored);
          return other !== null && secretOf(other) === secretOf(config);
        },
      };
    }
  }
  throw new AppError('UNAUTHENTICATED', 'The URL or the signature of this callback is not valid.');
}
