import { mayHoldSecret } from '@/server/platform/secrets';
import { type ChannelConfig, type ChannelType, channelDefinitionOf } from './definitions';

/** Whether requests with this config send a credential. */
function sendsCredential(type: ChannelType, config: Record<string, string | undefined>): boolean {
  return Object.entries(channelDefinitionOf(type).secrets).some(([field, kind]) => {
    const value = config[field] ?? '';
    return value !== '' && (kind === 'credential' || mayHoldSecret(value));
  });
}

/**
 * Whether response bodies are stored with the attempts of a channel: as its config says; by default, unless it sends a credential to a server that
 * the user chose. Kinds without this setting send credentials only to their provider, or none.
 */
export function savesResponseBody<Type extends ChannelType>(type: Type, config: ChannelConfig<Type>): boolean {
  if (!Object.hasOwn(channelDefinitionOf(type).fields, 'saveResponseBody')) return true;
  const given = config as Record<string, string | undefined>;
  const { saveResponseBody } = given;
  if (saveResponseBody === 'always' || saveResponseBody === 'never') return saveResponseBody === 'always';
  return !sendsCredential(type, given);
}
