import type { SecretFields, SecretKind } from '../definition';
import { definitionOf, type MonitorType } from '../definitions';
import { harmlessHeader, secretHeader } from './headers';

/** A config as stored: the same structure with encrypted secrets. */
export type StoredConfig = Record<string, unknown>;

/** A header that only names variables, with an authentication scheme: "Bearer {{token}}". */
const NAMES_VARIABLES = /^\s*(?:[A-Za-z][A-Za-z-]*\s+)?(?:\{\{\s*[A-Za-z][A-Za-z0-9_]*\s*\}\}\s*)+$/;

type Replace = (value: unknown, path: string, kind: SecretKind) => unknown;

/** Returns the kind of secret of each header of a config; harmless headers are left out. */
function headerFields(headers: StoredConfig): SecretFields {
  const names = Object.keys(headers).filter((name) => !harmlessHeader.test(name));
  return Object.fromEntries(names.map((name) => [name, secretHeader.test(name) ? 'credential' : 'text']));
}

function withoutTemplates(headers: StoredConfig): StoredConfig {
  const kept = Object.entries(headers).filter(([, value]) => typeof value !== 'string' || !NAMES_VARIABLES.test(value));
  return Object.fromEntries(kept);
}

const credentialsOf = (record: StoredConfig): SecretFields =>
  Object.fromEntries(Object.keys(record).map((name) => [name, 'credential']));

/** The secrets of a field with several values, by their name in it; null for a single value. */
function fieldsIn(kind: SecretFields[string], value: StoredConfig): SecretFields | null {
  if (Array.isArray(kind)) return Object.fromEntries(Object.keys(value).map((index) => [index, kind[0]]));
  if (typeof kind === 'object') return kind;
  if (kind === 'headers') return headerFields(value);
  if (kind === 'templateHeaders') return headerFields(withoutTemplates(value));
  return kind === 'credentials' ? credentialsOf(value) : null;
}

function replaceIn(record: StoredConfig, fields: SecretFields, prefix: string, replace: Replace): StoredConfig {
  const copy = (Array.isArray(record) ? [...record] : { ...record }) as StoredConfig;
  for (const [key, kind] of Object.entries(fields)) {
    const value = copy[key];
    const path = `${prefix}.${key}`;
    if (value === undefined) continue;
    const inner = fieldsIn(kind, value as StoredConfig);
    copy[key] = inner
      ? replaceIn(value as StoredConfig, inner, path, replace)
      : replace(value, path, kind as SecretKind);
  }
  return copy;
}

/** Returns a copy of a config of this type in which `replace` has replaced every secret. */
export function mapSecrets(type: MonitorType, config: StoredConfig, replace: Replace): StoredConfig {
  return replaceIn(config, definitionOf(type).secrets, 'config', replace);
}
