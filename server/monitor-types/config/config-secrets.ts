import { isDeepStrictEqual } from 'node:util';
import { AppError, type Issue } from '@/server/platform/errors';
import {
  isMask,
  isMaskedUrl,
  MASK,
  maskSecret,
  openSecret,
  type SealedSecret,
  sealSecret,
  sealText,
  sealUrl,
} from '@/server/platform/secrets';
import type { SecretKind } from '../definition';
import { definitionOf } from '../definitions';
import type { TypedConfig } from '../schema';
import { mapSecrets, type StoredConfig } from './map-secrets';
import { hostHeaders, originOf } from './stored-url';

export type { StoredConfig };

const CHANGED_KEY = 'The server or the client certificate changes. Enter the private key again.';

/** Returns the stored form of a secret. Encrypts a value in plain text, which was stored before its field became a secret. */
function toStored(value: unknown, kind: SecretKind): SealedSecret | string {
  if (typeof value !== 'string') return value as SealedSecret;
  switch (kind) {
    case 'credential':
      return sealSecret(value);
    case 'text':
      return sealText(value);
    case 'url':
      return sealUrl(value, { keepsPath: true });
    default:
      return kind satisfies never;
  }
}

const toPlain = (value: unknown) => (typeof value === 'string' ? value : openSecret(value as SealedSecret));

function toMask(value: unknown, kind: SecretKind): string {
  const stored = toStored(value, kind);
  return typeof stored === 'string' ? stored : maskSecret(stored);
}

/**
 * Decrypts the stored config of a monitor, for a check.
 * @throws UnknownKeyError if it was encrypted under another APP_SECRET
 */
export function openConfig(type: TypedConfig['type'], config: unknown): TypedConfig {
  return { type, config: mapSecrets(type, config as StoredConfig, toPlain) } as unknown as TypedConfig;
}

/** Returns the secrets of a decrypted config. */
export function plainSecrets({ type, config }: TypedConfig): { value: string; kind: SecretKind }[] {
  const found: { value: string; kind: SecretKind }[] = [];
  mapSecrets(type, config as unknown as StoredConfig, (value, _path, kind) => {
    if (typeof value === 'string') found.push({ value, kind });
    return value;
  });
  return found;
}

/**
 * Returns the config for all members: credentials as "••••" and their last four characters, URLs without their secret parts, other secrets as "••••".
 */
export function maskConfig(type: TypedConfig['type'], stored: unknown): StoredConfig {
  return mapSecrets(type, stored as StoredConfig, (value, _path, kind) => toMask(value, kind));
}

/**
 * Whether two stored configs are equal after decryption. False if a secret cannot be decrypted, or is not encrypted yet, so that an update then
 * encrypts it.
 */
export function isSameConfig(type: TypedConfig['type'], one: StoredConfig, other: StoredConfig): boolean {
  try {
    const isSealed = [one, other].every((stored) => isDeepStrictEqual(sealPlain(type, stored), stored));
    const open = (stored: StoredConfig) => mapSecrets(type, stored, toPlain);
    return isSealed && isDeepStrictEqual(open(one), open(other));
  } catch {
    return false;
  }
}

/** Returns the config for members who can edit it. Masks only credentials, and values that cannot be decrypted. */
export function editableConfig(type: TypedConfig['type'], stored: unknown): StoredConfig {
  return mapSecrets(type, stored as StoredConfig, (value, _path, kind) => {
    if (kind === 'credential') return toMask(value, kind);
    try {
      return toPlain(value);
    } catch {
      return toMask(value, kind);
    }
  });
}

/** Returns the stored config with all secrets encrypted, including those stored before their field became a secret. */
export function sealPlain(type: TypedConfig['type'], stored: unknown): StoredConfig {
  return mapSecrets(type, stored as StoredConfig, (value, _path, kind) => toStored(value, kind));
}

function secretsOf(type: TypedConfig['type'], stored: unknown): Map<string, SealedSecret | string> {
  const found = new Map<string, SealedSecret | string>();
  mapSecrets(type, stored as StoredConfig, (value, path, kind) => {
    found.set(path, toStored(value, kind));
    return value;
  });
  return found;
}

function isSame(one: SealedSecret | string, other: SealedSecret | string): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  if (one.sealed === other.sealed) return true;
  try {
    return openSecret(one) === openSecret(other);
  } catch {
    return false;
  }
}

/** Returns the masked config for the audit log after a change. Marks a changed secret that has the same mask. */
export function maskChanged(type: TypedConfig['type'], stored: unknown, before: unknown): StoredConfig {
  const former = secretsOf(type, before);
  return mapSecrets(type, stored as StoredConfig, (value, path, kind) => {
    const mask = toMask(value, kind);
    const was = former.get(path);
    if (was === undefined || isSame(was, toStored(value, kind)) || toMask(was, kind) !== mask) return mask;
    return `${mask} (changed)`;
  });
}

/**
 * Returns what decides where a secret is sent, because a stored secret must not be sent to another server.
 * @param config the stored config, or a sealed one in which unchanged secrets are those of the stored one
 */
function destination(type: TypedConfig['type'], config: StoredConfig, path: string, kind: SecretKind): unknown[] {
  const { url, host, port, tls, auth, headers, clientCertificate } = config;
  // A private key belongs to its certificate: with another one, it would fail every check.
  if (path === 'config.clientKey') return [originOf(url), clientCertificate];
  const own = [definitionOf(type).destination?.(config), hostHeaders(headers)];
  // The mask of a URL contains its origin.
  if (kind === 'url') return own;
  // The access token obtained with a client secret is sent to the monitor's own URL.
  const { tokenUrl } = { tokenUrl: undefined, ...(path === 'config.auth.clientSecret' && (auth as StoredConfig)) };
  return [originOf(url), originOf(tokenUrl), String(host ?? '').toLowerCase(), port, tls, ...own];
}

/**
 * Returns the path of a field in the stored config. An element of a list is found by its name, because it may have moved; a renamed one by its place.
 */
function formerPath(path: string, config: StoredConfig, stored: StoredConfig): string {
  return path.replace(/^config\.(\w+)\.(\d+)\./, (_whole, list: string, at: string) => {
    const now = config[list] as { name?: unknown }[];
    const before = stored[list];
    if (!Array.isArray(before)) return '';
    const place = (before as { name?: unknown }[]).findIndex(({ name }) => name === now[Number(at)]?.name);
    const isRenamed = place < 0 && !now.some(({ name }) => name === before[Number(at)]?.name);
    return `config.${list}.${isRenamed ? at : place}.`;
  });
}

function isMaskLike(text: string, kind: SecretKind): boolean {
  if (kind === 'url') return isMaskedUrl(text);
  return kind === 'text' ? text === MASK : text.startsWith(MASK);
}

/**
 * Returns a valid config with its secrets encrypted. A mask keeps the secret in `stored` if its destination is unchanged: otherwise an editor could
 * send it to their own server.
 * @throws AppError VALIDATION_ERROR with an issue for each mask without a stored secret, or with another destination
 */
export function sealConfig({ type, config }: TypedConfig, stored?: unknown): StoredConfig {
  const kept = stored === undefined ? new Map<string, SealedSecret | string>() : secretsOf(type, stored);
  const plain = config as unknown as StoredConfig;
  const issues: Issue[] = [];
  const masks: [path: string, kind: SecretKind][] = [];
  const sealed = mapSecrets(type, plain, (value, path, kind) => {
    const text = value as string;
    const before = kept.get(stored === undefined ? path : formerPath(path, plain, stored as StoredConfig));
    if (!isMaskLike(text, kind)) {
      const typedNow = toStored(text, kind);
      return before !== undefined && isSame(before, typedNow) ? before : typedNow;
    }
    if (before === undefined || typeof before === 'string' || !isMask(text, before)) {
      issues.push({ path, message: 'This is the masked value. Enter the actual value.' });
    } else masks.push([path, kind]);
    return before;
  });
  for (const [path, kind] of masks) {
    const [now, before] = [sealed, stored as StoredConfig].map((each) => destination(type, each, path, kind));
    if (isDeepStrictEqual(now, before)) continue;
    issues.push({
      path,
      message:
        path === 'config.clientKey'
          ? CHANGED_KEY
          : 'The monitor may connect to a different server. Enter this secret again.',
    });
  }
  if (issues[0]) throw new AppError('VALIDATION_ERROR', issues[0].message, { issues });
  return sealed;
}
