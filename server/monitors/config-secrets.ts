import { AppError, type Issue } from '@/server/platform/errors';
import { isMask, maskSecret, openSecret, type SealedSecret, sealSecret } from '@/server/platform/secrets';
import { secretHeader } from './config/headers';
import type { HttpConfig, TypedConfig } from './schema';

/** A config as it stands in the database: the same shape, each secret text replaced by its sealed form. */
export type StoredConfig = Record<string, unknown>;

type Replace = (value: unknown, path: string) => unknown;

function replaceIn(record: Record<string, unknown>, keys: string[], prefix: string, replace: Replace) {
  const copy = { ...record };
  for (const key of keys) if (copy[key] !== undefined) copy[key] = replace(copy[key], `${prefix}.${key}`);
  return copy;
}

function inHeaders(headers: Record<string, unknown>, replace: Replace) {
  const names = Object.keys(headers).filter((name) => secretHeader.test(name));
  return replaceIn(headers, names, 'config.headers', replace);
}

/** Applies `replace` to every secret of a config of this type; the one place that says which fields are secret. */
function mapSecrets(type: TypedConfig['type'], config: StoredConfig, replace: Replace): StoredConfig {
  switch (type) {
    case 'http': {
      const { headers, auth } = config as { headers?: Record<string, unknown>; auth?: Record<string, unknown> };
      return {
        ...config,
        ...(headers && { headers: inHeaders(headers, replace) }),
        ...(auth && { auth: replaceIn(auth, ['password', 'token', 'clientSecret'], 'config.auth', replace) }),
      };
    }
    case 'websocket': {
      const { headers } = config as { headers?: Record<string, unknown> };
      return { ...config, ...(headers && { headers: inHeaders(headers, replace) }) };
    }
    case 'tcp':
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

/** A secret as it stands in the database. A header that was not taken for one when it was stored stands there in plain. */
function sealedOf(value: unknown): SealedSecret {
  return typeof value === 'string' ? sealSecret(value) : (value as SealedSecret);
}

/** The stored config in plain, for running a check. The caller vouches that it was stored through `sealConfig`. */
export function openConfig(type: TypedConfig['type'], config: unknown): TypedConfig {
  const open = mapSecrets(type, config as StoredConfig, (value) => openSecret(sealedOf(value)));
  return { type, config: open } as unknown as TypedConfig;
}

/** The stored config as it may leave: secrets as "••••" and their last four characters. */
export function maskConfig(type: TypedConfig['type'], stored: unknown): StoredConfig {
  return mapSecrets(type, stored as StoredConfig, (value) => maskSecret(sealedOf(value)));
}

function secretsOf(type: TypedConfig['type'], stored: unknown): Map<string, SealedSecret> {
  const found = new Map<string, SealedSecret>();
  mapSecrets(type, stored as StoredConfig, (value, path) => {
    found.set(path, sealedOf(value));
    return value;
  });
  return found;
}

/** What a request's credentials are sent to; a kept secret may not be pointed somewhere else. */
function destination(config: StoredConfig): string {
  const { url, auth } = config as Partial<HttpConfig>;
  const origin = (text: string | undefined) => (text && URL.canParse(text) ? new URL(text).origin : '');
  return `${origin(url)} ${auth?.kind === 'oauth2' ? origin(auth.tokenUrl) : ''}`;
}

/**
 * A valid config with its secrets sealed, ready to be stored. A secret given as the mask that was returned keeps the
 * value in `stored`, as long as it goes where it went before: otherwise an editor could send it to a server of their own.
 * @throws AppError VALIDATION_ERROR with an issue for every mask that stands for nothing, or goes somewhere else
 */
export function sealConfig({ type, config }: TypedConfig, stored?: unknown): StoredConfig {
  const kept = stored === undefined ? new Map<string, SealedSecret>() : secretsOf(type, stored);
  const plain = config as unknown as StoredConfig;
  const issues: Issue[] = [];
  const sealed = mapSecrets(type, plain, (value, path) => {
    const text = value as string;
    const before = kept.get(path);
    if (!text.startsWith('••••')) return sealSecret(text);
    if (!before || !isMask(text, before)) {
      issues.push({ path, message: 'This is a mask, not a value. Give the value itself.' });
    } else if (destination(plain) !== destination(stored as StoredConfig)) {
      issues.push({ path, message: 'The address changed, so give this secret again.' });
    }
    return before;
  });
  if (issues[0]) throw new AppError('VALIDATION_ERROR', issues[0].message, { issues });
  return sealed;
}
