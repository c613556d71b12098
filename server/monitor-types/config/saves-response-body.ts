import { mayHoldSecret } from '@/server/platform/secrets';
import { definitionOf, definitions } from '../definitions';
import type { TypedConfig } from '../schema';
import { plainSecrets } from './config-secrets';

/** Whether checks send a secret: whether any part of the config is stored encrypted. */
function sendsSecret(target: TypedConfig): boolean {
  return plainSecrets(target).some(({ value, kind }) => (kind === 'url' ? mayHoldSecret(value) : value !== ''));
}

/** Whether response bodies of a monitor, and excerpts of them, are stored: as its decrypted config says, or by default only if it sends no secret. */
export function savesResponseBody(target: TypedConfig): boolean {
  const { saveResponseBody } = { saveResponseBody: undefined, ...target.config } as { saveResponseBody?: boolean };
  return saveResponseBody ?? !(sendsSecret(target) || definitionOf(target.type).receivesSecrets?.(target.config));
}

/** Returns the config with `saveResponseBody` filled in, as checks need it. Unchanged for types without this setting, which send no secrets. */
export function withBodyChoice<Target extends TypedConfig>(target: Target): Target {
  if (!('saveResponseBody' in definitions[target.type].schema.shape)) return target;
  return { ...target, config: { ...target.config, saveResponseBody: savesResponseBody(target) } };
}
