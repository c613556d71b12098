import { isDeepStrictEqual } from 'node:util';
import { AppError, type Issue } from '@/server/platform/errors';
import { canParseUrl } from '@/server/platform/schema';
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
import { isServerVariable, serverOf } from '../multistep/template';
import type { TypedConfig } from '../schema';
import { mapSecrets, type StoredConfig } from './map-secrets';

export type { StoredConfig };

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

/** Returns the text of a URL in plain text, masked or stored. */
const urlText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : (value as { shown?: string } | undefined)?.shown;

/** Returns the origin of a URL in plain text, masked or stored; empty if it has none. */
function originOf(value: unknown): string {
  const text = urlText(value);
  return text !== undefined && canParseUrl(text) ? new URL(text).origin : '';
}

const stepsOf = ({ steps }: StoredConfig) => (Array.isArray(steps) ? (steps as StoredConfig[]) : []);

/** Returns the servers of all steps, because a later step may send what an earlier one got for a secret. */
const serversOf = (config: StoredConfig): string[] =>
  [...new Set(stepsOf(config).map(({ url }) => originOf(url) || serverOf(urlText(url) ?? '').toLowerCase()))].sort();

/** Whether a response decides on the server of a step. */
const takesServer = (config: StoredConfig): boolean =>
  stepsOf(config).some(({ url }) => isServerVariable(urlText(url) ?? ''));

/** Returns what the steps send, where to, and what they take from the responses. */
const requestsOf = (config: StoredConfig): unknown[] =>
  stepsOf(config).map(({ url, method, headers, body, followRedirects, extract }) => {
    return [url, method, headers, body, followRedirects, extract];
  });

/** Whether a config has the requests of the stored one, in the same order: secrets are masked, or typed as they are stored. */
function hasSameRequests(type: TypedConfig['type'], config: StoredConfig, stored: StoredConfig): boolean {
  const former = secretsOf(type, stored);
  const isKept = (value: string, before: SealedSecret | string) =>
    typeof before === 'string' ? value === before : isMask(value, before) || value === openSecret(before);
  try {
    const now = mapSecrets(type, config, (value, path) => {
      const before = former.get(path);
      return before !== undefined && isKept(value as string, before) ? before : value;
    });
    const before = mapSecrets(type, stored, (_value, path) => former.get(path));
    return isDeepStrictEqual(requestsOf(now), requestsOf(before));
  } catch {
    // The stored secrets cannot be decrypted.
    return false;
  }
}

/** Returns a key for the server that a secret is sent to, because a stored secret must not be sent to another one. */
function destination(config: StoredConfig, path: string): string {
  const { url, host, port, tls, auth } = config;
  // The access token obtained with a client secret is sent to the monitor's own URL.
  const { tokenUrl } = { tokenUrl: undefined, ...(path === 'config.auth.clientSecret' && (auth as StoredConfig)) };
  return JSON.stringify([
    originOf(url),
    originOf(tokenUrl),
    String(host ?? '').toLowerCase(),
    port,
    tls,
    serversOf(config),
  ]);
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
  // A response that names a server can be provoked by any part of a request.
  const mayGoElsewhere =
    stored !== undefined &&
    (takesServer(plain) || takesServer(stored as StoredConfig)) &&
    !hasSameRequests(type, plain, stored as StoredConfig);
  const sealed = mapSecrets(type, plain, (value, path, kind) => {
    const text = value as string;
    const before = kept.get(stored === undefined ? path : formerPath(path, plain, stored as StoredConfig));
    if (!isMaskLike(text, kind)) return toStored(text, kind);
    if (before === undefined || typeof before === 'string' || !isMask(text, before)) {
      issues.push({ path, message: 'This is the masked value. Enter the actual value.' });
    } else if (mayGoElsewhere) {
      const message = 'The response of a step names a server, and the requests have changed. Enter this secret again.';
      issues.push({ path, message });
    } else if (kind !== 'url' && destination(plain, path) !== destination(stored as StoredConfig, path)) {
      // The mask of a URL contains its origin.
      issues.push({ path, message: 'The monitor connects to a different server. Enter this secret again.' });
    }
    return before;
  });
  if (issues[0]) throw new AppError('VALIDATION_ERROR', issues[0].message, { issues });
  return sealed;
}
