import { z } from 'zod';
import { previousSeal, seal, unseal } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { defineJob, enqueue } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { rewriteSecrets } from './rewrite-secrets';

/** A text with every sealed part that starts with `old` sealed again. Text that only resembles a sealed one does not change. */
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
 * Re-encrypts secrets of APP_SECRET_PREVIOUS under APP_SECRET, row by row; idempotent. Stored responses and queued mail are skipped: they expire
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

/** Queues the re-encryption if there is a previous APP_SECRET; once for several workers. */
export async function queueResealing(): Promise<void> {
  if (previousSeal()) await enqueue(db, resealSecrets, {}, { jobKey: resealSecrets.name });
}
