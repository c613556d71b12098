import { MASK } from '@/server/platform/schema';
import type { MonitorType } from '../definitions';
import { mapSecrets, type StoredConfig } from './map-secrets';

/**
 * Returns the config for a monitor's copy, from the config as its editor sees it: without credentials, which never leave the server, and without the
 * ping URL, which belongs to one monitor.
 * @returns the config, and the paths of the fields that must be entered again ("auth.token")
 */
export function copyConfig(type: MonitorType, shown: StoredConfig): { config: StoredConfig; missing: string[] } {
  const missing: string[] = [];
  const { pingUrl: _own, ...rest } = shown;
  const config = mapSecrets(type, rest, (value, path) => {
    if (typeof value === 'string' && !value.includes(MASK)) return value;
    missing.push(path.slice('config.'.length));
    return '';
  });
  return { config, missing };
}
