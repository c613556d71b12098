import { z } from 'zod';
import { db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { defineJob, enqueue } from '@/server/platform/jobs';
import { MARKDOWN_VERSION } from '@/server/text/render-markdown';
import { htmlOfText } from './postmortem-html';

const AT_ONCE = 20;
const outdated = { htmlVersion: { lt: MARKDOWN_VERSION } };

/** Renders a text; returns null if it exceeds a limit, so that it is shown as plain text. */
async function htmlIfItFits(teamId: string, body: string): Promise<string | null> {
  try {
    return await htmlOfText(teamId, body);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/**
 * Renders the postmortems that this version of the renderer has not rendered yet. Does not overwrite the HTML of a text that is saved in the meantime.
 */
export const renderPostmortems = defineJob({
  name: 'render-postmortems',
  schema: z.object({}),
  async run(_payload, { signal }) {
    for (;;) {
      const rows = await db.incidentPostmortem.findMany({
        where: outdated,
        orderBy: { incidentId: 'asc' },
        take: AT_ONCE,
        select: { incidentId: true, body: true, incident: { select: { teamId: true } } },
      });
      if (rows.length === 0) return;
      for (const { incidentId, body, incident } of rows) {
        signal.throwIfAborted();
        const html = await htmlIfItFits(incident.teamId, body);
        await db.incidentPostmortem.updateMany({
          where: { incidentId, body, ...outdated },
          data: { html, htmlVersion: MARKDOWN_VERSION },
        });
      }
    }
  },
});

/** Queues the rendering of postmortems that an earlier version stored. Several workers that call it queue only one job. */
export async function queueRendering(): Promise<void> {
  await enqueue(db, renderPostmortems, {}, { jobKey: renderPostmortems.name });
}
