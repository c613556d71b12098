import { invalidField } from '@/server/platform/errors';
import { assertAllowedHost, BlockedTargetError } from '@/server/platform/net';
import { canParseUrl } from '@/server/platform/schema';
import type { ChannelConfig } from './schema';

/**
 * Rejects a config with a URL whose host Upwatch must not send to. Host names are also verified at every send, when they are resolved.
 * @throws AppError VALIDATION_ERROR
 */
export function assertReachable(config: ChannelConfig): void {
  for (const [field, value] of Object.entries<string | undefined>(config)) {
    if (value === undefined || !/^https?:\/\//i.test(value) || !canParseUrl(value)) continue;
    try {
      assertAllowedHost(new URL(value).hostname);
    } catch (error) {
      const reason = error instanceof BlockedTargetError ? error.message : 'The address is not a valid host name';
      throw invalidField(`config.${field}`, `${reason}.`);
    }
  }
}
