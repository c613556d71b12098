import { z } from 'zod';
import { invalidField } from '@/server/platform/errors';
import { canParseUrl } from '@/server/platform/schema';
import {
  isMask,
  isMaskedUrl,
  maskSecret,
  openSecret,
  type SealedSecret,
  sealSecret,
  sealUrl,
} from '@/server/platform/secrets';
import type { SecretKind } from './providers/definition';
import { type ChannelConfig, type ChannelType, channelDefinitionOf } from './providers/definitions';
import { SECRET_MASK } from './providers/fields';

/** A config as stored: text, and encrypted secrets. */
export type StoredConfig = Record<string, string | SealedSecret>;

const secretsOf = (type: ChannelType) => channelDefinitionOf(type).secrets as Readonly<Record<string, SecretKind>>;

function kindOf(type: ChannelType, field: string): SecretKind | undefined {
  const secrets = secretsOf(type);
  return Object.hasOwn(secrets, field) ? secrets[field] : undefined;
}

/**
 * Returns the stored form of a secret. Encrypts a value in plain text, which was stored before its field became a secret. An optional secret may be
 * empty and stays so.
 */
function toStored(value: string | SealedSecret, kind: SecretKind): string | SealedSecret {
  if (typeof value !== 'string' || value === '') return value;
  return kind === 'credential' ? sealSecret(value) : sealUrl(value, { keepsPath: false });
}

const toPlain = (value: string | SealedSecret) => (typeof value === 'string' ? value : openSecret(value));

function toMask(value: string | SealedSecret, kind: SecretKind): string {
  const stored = toStored(value, kind);
  return typeof stored === 'string' ? stored : maskSecret(stored);
}

function mapStored<Value>(
  type: ChannelType,
  stored: unknown,
  replace: (value: string | SealedSecret, kind: SecretKind, field: string) => Value,
): Record<string, Value | string> {
  const fields = Object.entries(stored as StoredConfig).map(([field, value]) => {
    const kind = kindOf(type, field);
    return [field, kind ? replace(value, kind, field) : (value as string)] as const;
  });
  return Object.fromEntries(fields);
}

/**
 * Decrypts the config for sending.
 * @throws UnknownKeyError if it was encrypted under another APP_SECRET, ZodError if it is not valid any more
 */
export function openConfig<Type extends ChannelType>(type: Type, stored: unknown): ChannelConfig<Type> {
  return channelDefinitionOf(type).schema.parse(mapStored(type, stored, toPlain)) as ChannelConfig<Type>;
}

/** Returns the config for all members: credentials as "••••" and their last four characters, a URL as its host. */
export function maskConfig(type: ChannelType, stored: unknown): Record<string, string> {
  return mapStored(type, stored, toMask);
}

/** Returns the config for members who can edit it: masks only credentials and secrets that cannot be decrypted. */
export function editableConfig(type: ChannelType, stored: unknown): Record<string, string> {
  return mapStored(type, stored, (value, kind) => {
    if (kind === 'credential') return toMask(value, kind);
    try {
      return toPlain(value);
    } catch {
      return toMask(value, kind);
    }
  });
}

/** Returns the stored config with all secrets encrypted, including those stored before their field became a secret. */
export function sealPlain(type: ChannelType, stored: unknown): StoredConfig {
  return mapStored(type, stored, toStored);
}

function isSame(one: string | SealedSecret, other: string | SealedSecret): boolean {
  try {
    return toPlain(one) === toPlain(other);
  } catch {
    return JSON.stringify(one) === JSON.stringify(other);
  }
}

/** Whether two stored configs are equal. A plain-text secret never equals an encrypted one. */
export function isSameConfig(one: StoredConfig, other: StoredConfig): boolean {
  const fields = Object.keys({ ...one, ...other });
  return fields.every((field) => {
    const [a, b] = [one[field], other[field]];
    return a !== undefined && b !== undefined && typeof a === typeof b && isSame(a, b);
  });
}

/** Returns the masked config for the audit log after a change. Marks a secret that changed although its mask is the same. */
export function maskChanged(type: ChannelType, stored: unknown, before: unknown): Record<string, string> {
  const former = before as Partial<StoredConfig>;
  return mapStored(type, stored, (value, kind, field) => {
    const mask = toMask(value, kind);
    const was = former[field];
    return was === undefined || isSame(was, value) || toMask(was, kind) !== mask ? mask : `${mask} (changed)`;
  });
}

const originOf = (value: string | SealedSecret | undefined) => {
  const text = typeof value === 'object' && 'shown' in value ? value.shown : String(value);
  return canParseUrl(text) ? new URL(text).origin : null;
};

/**
 * Returns a valid config with its secrets encrypted. An optional secret that stays empty is not stored. A mask, or an omitted credential, keeps the
 * secret of `before` only if the new destination has the same origin, because an editor could otherwise have it sent to a server of their own.
 * @throws AppError VALIDATION_ERROR for a mask without a stored secret, or with another destination
 */
export function sealConfig(type: ChannelType, config: ChannelConfig, before: StoredConfig = {}): StoredConfig {
  const fields: Record<string, string | undefined> = config;
  const { endpoint } = channelDefinitionOf(type);
  const sealed = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as StoredConfig;
  for (const [field, kind] of Object.entries(secretsOf(type))) {
    const text = fields[field];
    const kept = before[field];
    const keeps = text === undefined ? kind === 'credential' : typeof kept === 'object' && isMask(text, kept);
    if (kept !== undefined && keeps) {
      if (kind === 'credential' && endpoint && originOf(fields[endpoint]) !== originOf(before[endpoint])) {
        throw invalidField(`config.${field}`, 'The URL points to a different server. Enter the secret again.');
      }
      sealed[field] = toStored(kept, kind);
    } else if (text !== undefined && (kind === 'url' ? isMaskedUrl(text) : SECRET_MASK.test(text))) {
      throw invalidField(`config.${field}`, 'This is the masked value. Enter the actual value.');
    } else if (text === '' && kept === undefined) delete sealed[field];
    else if (text !== undefined) sealed[field] = toStored(text, kind);
  }
  return sealed;
}

/**
 * Validates a config by the schema of a channel's type.
 * @throws ZodError with one issue per field, under `config`
 */
export function parseConfig(type: ChannelType, config: unknown): ChannelConfig {
  return z.object({ config: channelDefinitionOf(type).schema }).parse({ config }).config as ChannelConfig;
}
