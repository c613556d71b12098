import { AppError, invalidField } from '@/server/platform/errors';
import { isMask, maskSecret, openSecret, type SealedSecret, sealSecret } from '@/server/platform/secrets';
import { type ChannelConfig, type ChannelType, configSchemas, SECRET_MASK } from './schema';

/** Which fields of a config are sealed at rest and masked in answers. A chat webhook's address is its password. */
const secretFields = {
  email: [],
  slack: ['webhookUrl'],
  discord: ['webhookUrl'],
  line: ['channelAccessToken'],
  webhook: ['secret'],
} as const satisfies Record<ChannelType, readonly string[]>;

/** A config as the database keeps it: texts, and sealed secrets. */
export type StoredConfig = Record<string, string | SealedSecret>;

function isSecretField(type: ChannelType, field: string): boolean {
  const fields: readonly string[] = secretFields[type];
  return fields.includes(field);
}

function mapStored(type: ChannelType, stored: unknown, open: (secret: SealedSecret) => string): Record<string, string> {
  const fields = Object.entries(stored as Record<string, string & SealedSecret>);
  return Object.fromEntries(fields.map(([name, value]) => [name, isSecretField(type, name) ? open(value) : value]));
}

/** A stored config in plain, for sending. Throws where it was sealed under another APP_SECRET. */
export function openConfig<Type extends ChannelType>(type: Type, stored: unknown): ChannelConfig<Type> {
  return configSchemas[type].parse(mapStored(type, stored, openSecret)) as ChannelConfig<Type>;
}

/** A stored config as it may leave: each secret as "••••" and its last four characters. */
export function maskConfig(type: ChannelType, stored: unknown): Record<string, string> {
  return mapStored(type, stored, maskSecret);
}

/**
 * A valid config with its secrets sealed. A mask, and a secret left out, keep the secret of `before`.
 * @throws AppError VALIDATION_ERROR for a mask that stands for no stored secret
 */
export function sealConfig(type: ChannelType, config: ChannelConfig, before: StoredConfig = {}): StoredConfig {
  const fields: Record<string, string | undefined> = config;
  const sealed = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as StoredConfig;
  for (const field of secretFields[type]) {
    const text = fields[field];
    const kept = before[field] as SealedSecret | undefined;
    if (kept && (text === undefined || isMask(text, kept))) sealed[field] = kept;
    else if (text !== undefined && SECRET_MASK.test(text)) {
      throw invalidField(
        `config.${field}`,
        'This is a mask, not the value. Send the value, or the mask as it was shown.',
      );
    } else if (text !== undefined) sealed[field] = sealSecret(text);
  }
  return sealed;
}

/**
 * Holds a config of unknown shape against the schema of a channel's type.
 * @throws AppError VALIDATION_ERROR with one issue per field
 */
export function parseConfig(type: ChannelType, config: unknown): ChannelConfig {
  const parsed = configSchemas[type].safeParse(config);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: ['config', ...path].join('.'), message }));
  throw new AppError('VALIDATION_ERROR', `${issues[0]?.path}: ${issues[0]?.message}`, { issues });
}
