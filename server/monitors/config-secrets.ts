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
import { harmlessHeader, secretHeader } from './config/headers';
import type { TypedConfig } from './schema';

/** A config as it stands in the database: the same shape, what is or may hold a secret replaced by its sealed form. */
export type StoredConfig = Record<string, unknown>;

/**
 * `credential`: never shown again. `text` and `url` may hold a secret anywhere, in a URL past its path; whoever may edit
 * them sees them.
 */
type Kind = 'credential' | 'text' | 'url';
type Replace = (value: unknown, path: string, kind: Kind) => unknown;

const httpKinds: Record<string, Kind> = { url: 'url', body: 'text' };
const authKinds: Record<string, Kind> = {
  password: 'credential',
  token: 'credential',
  clientSecret: 'credential',
  tokenUrl: 'url',
};
const webSocketKinds: Record<string, Kind> = { url: 'url', send: 'text' };
const tcpKinds: Record<string, Kind> = { send: 'text' };

function replaceIn(record: StoredConfig, kinds: Record<string, Kind>, prefix: string, replace: Replace): StoredConfig {
  const copy = { ...record };
  for (const [key, kind] of Object.entries(kinds)) {
    if (copy[key] !== undefined) copy[key] = replace(copy[key], `${prefix}.${key}`, kind);
  }
  return copy;
}

function inHeaders(headers: StoredConfig, replace: Replace): StoredConfig {
  const names = Object.keys(headers).filter((name) => !harmlessHeader.test(name));
  const kinds = Object.fromEntries(
    names.map((name): [string, Kind] => [name, secretHeader.test(name) ? 'credential' : 'text']),
  );
  return replaceIn(headers, kinds, 'config.headers', replace);
}

/** Applies `replace` to every secret of a config of this type; the one place that says which fields are secret. */
function mapSecrets(type: TypedConfig['type'], config: StoredConfig, replace: Replace): StoredConfig {
  switch (type) {
    case 'http': {
      const { headers, auth } = config as { headers?: StoredConfig; auth?: StoredConfig };
      return {
        ...replaceIn(config, httpKinds, 'config', replace),
        ...(headers && { headers: inHeaders(headers, replace) }),
        ...(auth && { auth: replaceIn(auth, authKinds, 'config.auth', replace) }),
      };
    }
    case 'websocket': {
      const { headers } = config as { headers?: StoredConfig };
      return {
        ...replaceIn(config, webSocketKinds, 'config', replace),
        ...(headers && { headers: inHeaders(headers, replace) }),
      };
    }
    case 'tcp':
      return replaceIn(config, tcpKinds, 'config', replace);
    case 'ping':
    case 'dns':
    case 'tls':
    case 'grpc':
    case 'heartbeat':
      return config;
    default:
      return type satisfies never;
  }
}

/** A secret's stored form. One that was stored before it was taken for a secret stands there in plain. */
function toStored(value: unknown, kind: Kind): SealedSecret | string {
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

function toMask(value: unknown, kind: Kind): string {
  const stored = toStored(value, kind);
  return typeof stored === 'string' ? stored : maskSecret(stored);
}

/** The stored config in plain, for running a check. The caller vouches that it was stored through `sealConfig`. */
export function openConfig(type: TypedConfig['type'], config: unknown): TypedConfig {
  return { type, config: mapSecrets(type, config as StoredConfig, toPlain) } as unknown as TypedConfig;
}

/** The stored config as anyone may see it: credentials as "••••" and their last four characters, the rest as "••••". */
export function maskConfig(type: TypedConfig['type'], stored: unknown): StoredConfig {
  return mapSecrets(type, stored as StoredConfig, (value, _path, kind) => toMask(value, kind));
}

/** Whether two stored configs say the same. False where a secret cannot be opened or was not sealed yet, so that it will be. */
export function isSameConfig(type: TypedConfig['type'], one: StoredConfig, other: StoredConfig): boolean {
  try {
    const isSealed = [one, other].every((stored) => isDeepStrictEqual(sealPlain(type, stored), stored));
    const open = (stored: StoredConfig) => mapSecrets(type, stored, toPlain);
    return isSealed && isDeepStrictEqual(open(one), open(other));
  } catch {
    return false;
  }
}

/** The stored config as whoever may edit it sees it: only credentials are masked, and what cannot be opened. */
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

/** The stored config with everything sealed that was stored before it was taken for a secret. */
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

/** The stored config as the audit log shows it after a change: a secret with another value under the same mask says so. */
export function maskChanged(type: TypedConfig['type'], stored: unknown, before: unknown): StoredConfig {
  const former = secretsOf(type, before);
  return mapSecrets(type, stored as StoredConfig, (value, path, kind) => {
    const mask = toMask(value, kind);
    const was = former.get(path);
    if (was === undefined || isSame(was, toStored(value, kind)) || toMask(was, kind) !== mask) return mask;
    return `${mask} (changed)`;
  });
}

/** The origin of a URL in plain, as its mask, or as it is stored. */
function originOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (value as { shown?: string } | undefined)?.shown;
  return text !== undefined && URL.canParse(text) ? new URL(text).origin : '';
}

/** What a secret is sent to; one that is kept may not be pointed somewhere else. */
function destination({ url, host, port, tls, auth }: StoredConfig, path: string): string {
  // The access token that a client secret is exchanged for goes to the monitor's own URL.
  const { tokenUrl } = { tokenUrl: undefined, ...(path === 'config.auth.clientSecret' && (auth as StoredConfig)) };
  return JSON.stringify([originOf(url), originOf(tokenUrl), String(host ?? '').toLowerCase(), port, tls]);
}

function isMaskLike(text: string, kind: Kind): boolean {
  if (kind === 'url') return isMaskedUrl(text);
  return kind === 'text' ? text === MASK : text.startsWith(MASK);
}

/**
 * A valid config with its secrets sealed, ready to be stored. A secret given as the mask that was returned keeps the
 * value in `stored`, as long as it goes where it went before: otherwise an editor could send it to a server of their own.
 * @throws AppError VALIDATION_ERROR with an issue for every mask that stands for nothing, or goes somewhere else
 */
export function sealConfig({ type, config }: TypedConfig, stored?: unknown): StoredConfig {
  const kept = stored === undefined ? new Map<string, SealedSecret | string>() : secretsOf(type, stored);
  const plain = config as unknown as StoredConfig;
  const issues: Issue[] = [];
  const sealed = mapSecrets(type, plain, (value, path, kind) => {
    const text = value as string;
    const before = kept.get(path);
    if (!isMaskLike(text, kind)) return toStored(text, kind);
    if (before === undefined || typeof before === 'string' || !isMask(text, before)) {
      issues.push({ path, message: 'This is a mask, not a value. Enter the value itself.' });
    } else if (kind !== 'url' && destination(plain, path) !== destination(stored as StoredConfig, path)) {
      // A URL's mask names its origin itself.
      issues.push({ path, message: 'The monitor now connects to another server. Enter this secret again.' });
    }
    return before;
  });
  if (issues[0]) throw new AppError('VALIDATION_ERROR', issues[0].message, { issues });
  return sealed;
}
