import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { type Env, notesOnOwn } from '@/server/platform/env';
import { error, type Finding, findings, note } from './finding';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Finds settings that are valid one by one, but problematic together. */
export function checkSettings(env: Env): Finding[] {
  const { hostname, protocol } = new URL(env.appUrl);
  const isLocal = LOOPBACK.test(hostname);
  return findings(
    'Settings',
    'valid',
    ...notesOnOwn().map((text) => note(text, 'Correct the name, or remove the variable.')),
    isLocal &&
      !LOOPBACK.test(env.host) &&
      note(
        `Links in messages lead to ${env.appUrl}, which only this machine reaches.`,
        'Set APP_URL to the public URL.',
      ),
    !isLocal &&
      protocol === 'http:' &&
      note(
        'APP_URL uses http: passwords and sessions cross the network in plain text.',
        'Put a proxy with TLS in front, and set APP_URL to its https:// URL.',
      ),
    !isLocal &&
      env.allowPrivateTargets &&
      env.signups === 'open' &&
      note(
        'Anybody can sign up and reach private addresses through checks.',
        'Set SIGNUPS=invite, or ALLOW_PRIVATE_TARGETS=false.',
      ),
    !isLocal &&
      env.trustedProxies.length === 0 &&
      protocol === 'https:' &&
      note(
        'All clients share the address of the proxy, and so its rate limits.',
        'Set TRUSTED_PROXIES to the addresses of your proxies.',
      ),
  );
}

const MEGABYTE = 1024 * 1024;
const LEAST_FREE = 20 * MEGABYTE;
const FEW_FREE = 1024 * MEGABYTE;

/** Checks the free space of the data directory. */
export async function checkDisk({ dataDir }: Env): Promise<Finding[]> {
  const found = await statfs(dataDir).catch(() => null);
  const free = found ? found.bavail * found.bsize : Number.POSITIVE_INFINITY;
  const text = `${Math.floor(free / MEGABYTE)} MB are free for DATA_DIR, ${dataDir}`;
  return findings(
    'Disk',
    found ? text : `DATA_DIR, ${dataDir}, is created at the first start`,
    free < LEAST_FREE && error(`${text}.`, 'Free some space: nothing can be stored, and /api/ready answers 503.'),
    free >= LEAST_FREE && free < FEW_FREE && note(`${text}.`, 'Free some space, or lower RAW_RETENTION_DAYS.'),
  );
}

/** Checks the permissions of the secret in the data directory. */
export async function checkSecretFile({ dataDir }: Env): Promise<Finding[]> {
  const file = path.join(dataDir, 'app-secret');
  const mode = (await stat(file).catch(() => null))?.mode ?? 0;
  return findings(
    'Secret file',
    'none that other users may read',
    (mode & 0o077) !== 0 &&
      error(
        `Other users of this machine may read ${file}.`,
        `Run chmod 600 ${file}, and rotate APP_SECRET if they did read it.`,
      ),
  );
}
