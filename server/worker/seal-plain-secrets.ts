import { z } from 'zod';
import { sealPlain as sealMonitor } from '@/server/monitor-types/config/config-secrets';
import { sealPlain as sealChannel } from '@/server/notifications/config-secrets';
import { db } from '@/server/platform/db';
import { defineJob, enqueue } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { rewriteSecrets } from './rewrite-secrets';

/** Encrypts values that were stored before they counted as secrets, row by row; idempotent. */
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

/** Queues the encryption of plain-text settings of an earlier version; once for several workers. */
export async function queueSealing(): Promise<void> {
  await enqueue(db, sealPlainSecrets, {}, { jobKey: sealPlainSecrets.name });
}
