import { z } from 'zod';
import { previousSeal, seal, unseal } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { defineJob, enqueue } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { rewriteSecrets } from './rewrite-secrets';

/** Re-encrypts every sealed part of a text that starts with `old`. Leaves text that only resembles a sealed part unchanged. */
function reseal(text: string, old: string): string {
  return text.replace(/v\d+\.[\w-]+\.[\w-]+/g, (part) => {
    try {
      return part.startsWith(old) ? seal(unseal(part)) : part;
    } catch {
      return part;
    }
  });
}

/**
 * Re-encrypts secrets from APP_SECRET_PREVIOUS to APP_SECRET, row by row. Idempotent. Skips stored responses and queued mail, because they expire
 * within three days.
 */
export const resealSecrets = defineJob({
  name: 'reseal-secrets',
  schema: z.object({}),
  async run(_payload, { signal }) {
    const old = previousSeal();
    if (!old) return;
    const rewrite = ({ config, pingToken }: { config: unknown; pingToken: string | null }) => ({
      config: JSON.parse(reseal(JSON.stringify(config), old)),
      pingToken: pingToken && reseal(pingToken, old),
    });
    const resealed = await rewriteSecrets({ monitor: rewrite, channel: rewrite }, signal);
    log.info({ resealed }, 'What APP_SECRET_PREVIOUS sealed is sealed under APP_SECRET');
  },
});

/** Queues the re-encryption if there is a previous APP_SECRET. Several workers queue it once. */
export async function queueResealing(): Promise<void> {
  if (previousSeal()) await enqueue(db, resealSecrets, {}, { jobKey: resealSecrets.name });
}
