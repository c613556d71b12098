import { z } from 'zod';
import { db } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';
import { storage } from '@/server/platform/storage';
import { pageFolder } from './logo-key';

/** Deletes an uploaded logo that no page uses: a replaced one, or an interrupted upload. */
export const deleteUnusedLogo = defineJob({
  name: 'delete-unused-logo',
  schema: z.object({ logoKey: z.string() }),
  async run({ logoKey }) {
    const isUsed = await db.statusPage.findFirst({ where: { logoKey }, select: { id: true } });
    if (!isUsed) await storage.del(logoKey);
  },
});

/** Removes all objects of a deleted page. */
export const deletePageObjects = defineJob({
  name: 'delete-page-objects',
  schema: z.object({ statusPageId: z.string() }),
  async run({ statusPageId }) {
    const isThere = await db.statusPage.findUnique({ where: { id: statusPageId }, select: { id: true } });
    if (!isThere) await storage.deletePrefix(pageFolder(statusPageId));
  },
});
