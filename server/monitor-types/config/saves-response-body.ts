import { mayHoldSecret } from '@/server/platform/secrets';
import type { TypedConfig } from '../schema';
import { plainSecrets } from './config-secrets';

/** Whether a decrypted config has what is stored encrypted, so that checks send a secret. */
function sendsSecret(target: TypedConfig): boolean {
  return plainSecrets(target).some(({ value, kind }) => (kind === 'url' ? mayHoldSecret(value) : value !== ''));
}

/** Whether response bodies of a monitor, and excerpts of them, are kept: as its decrypted config says, or by default if it sends no secret. */
export function savesResponseBody(target: TypedConfig): boolean {
  const { saveResponseBody } = { saveResponseBody: undefined, ...target.config } as { saveResponseBody?: boolean };
  return saveResponseBody ?? !sendsSecret(target);
}

/** The same config with the choice made, as checks need it. Types that send no secrets have none. */
export function withBodyChoice<Target extends TypedConfig>(target: Target): Target {
  if (!['http', 'tcp', 'websocket'].includes(target.type)) return target;
  return { ...target, config: { ...target.config, saveResponseBody: savesResponseBody(target) } };
}
