import { z } from 'zod';
import { previousSeal, seal, unseal } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { defineJob, enqueue } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { rewriteSecrets } from './rewrite-secrets';

/** A text with every sealed part of it that begins with `old` sealed anew. What only looks like one stays. */
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
 * Seals what APP_SECRET_PREVIOUS sealed under APP_SECRET, row by row; a second run finds nothing left. Kept answers and
 * queued mail are left alone: they are gone within three days.
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

/** Has the secrets sealed anew where there is a previous APP_SECRET; several workers ask for it once. */
export async function queueResealing(): Promise<void> {
  if (previousSeal()) await enqueue(db, resealSecrets, {}, { jobKey: resealSecrets.name });
}
