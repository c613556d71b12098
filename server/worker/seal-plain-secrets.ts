import { z } from 'zod';
import { sealPlain as sealMonitor } from '@/server/monitor-types/config/config-secrets';
import { sealPlain as sealChannel } from '@/server/notifications/config-secrets';
import { db } from '@/server/platform/db';
import { defineJob, enqueue } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { rewriteSecrets } from './rewrite-secrets';

/** Encrypts values that an earlier version stored as plain text, row by row. Idempotent. */
export const sealPlainSecrets = defineJob({
  name: 'seal-plain-secrets',
  schema: z.object({}),
  async run(_payload, { signal }) {
    const sealed = await rewriteSecrets(
      {
        monitor: ({ type, config, pingToken }) => ({ config: sealMonitor(type, config), pingToken }),
        channel: ({ type, config, pingToken }) => ({ config: sealChannel(type, config), pingToken }),
      },
      signal,
    );
    if (sealed > 0) log.info({ sealed }, 'Settings that were stored in plain are sealed');
  },
});

/** Queues the encryption of values that an earlier version may have stored as plain text. Several workers queue it once. */
export async function queueSealing(): Promise<void> {
  await enqueue(db, sealPlainSecrets, {}, { jobKey: sealPlainSecrets.name });
}
