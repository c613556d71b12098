import type { SecretFields, SecretKind } from '../definition';
import { definitionOf, type MonitorType } from '../definitions';
import { harmlessHeader, secretHeader } from './headers';

/** A config as stored: the same structure with encrypted secrets. */
export type StoredConfig = Record<string, unknown>;

type Replace = (value: unknown, path: string, kind: SecretKind) => unknown;

/** Returns the kind of secret of each header of a config; harmless headers are left out. */
function headerFields(headers: StoredConfig): SecretFields {
  const names = Object.keys(headers).filter((name) => !harmlessHeader.test(name));
  return Object.fromEntries(names.map((name) => [name, secretHeader.test(name) ? 'credential' : 'text']));
}

function replaceIn(record: StoredConfig, fields: SecretFields, prefix: string, replace: Replace): StoredConfig {
  const copy = { ...record };
  for (const [key, kind] of Object.entries(fields)) {
    const value = copy[key];
    const path = `${prefix}.${key}`;
    if (value === undefined) continue;
    if (kind === 'headers')
      copy[key] = replaceIn(value as StoredConfig, headerFields(value as StoredConfig), path, replace);
    else if (typeof kind === 'object') copy[key] = replaceIn(value as StoredConfig, kind, path, replace);
    else copy[key] = replace(value, path, kind);
  }
  return copy;
}

/** Returns a copy of a config of this type in which `replace` has replaced every secret. */
export function mapSecrets(type: MonitorType, config: StoredConfig, replace: Replace): StoredConfig {
  return replaceIn(config, definitionOf(type).secrets, 'config', replace);
}
