import type { Tx } from '@/server/platform/db';
import { invalidField } from '@/server/platform/errors';

/**
 * Makes sure that all are monitors of the team, and that none is deleted until the transaction ends.
 * @throws AppError VALIDATION_ERROR at monitorIds
 */
export async function holdMonitors(tx: Tx, teamId: string, monitorIds: string[]): Promise<void> {
  // In one order for everybody, so that two pages that are saved at once do not wait for each other.
  const found = await tx.$queryRaw<{ id: string }[]>`
    select id from monitors where team_id = ${teamId} and id = any(${monitorIds}) order by id for key share`;
  if (found.length === monitorIds.length) return;
  const known = new Set(found.map(({ id }) => id));
  const missing = monitorIds.filter((id) => !known.has(id));
  throw invalidField('monitorIds', `There is no monitor ${missing[0]?.slice(0, 64)} in this team.`);
}

/** Puts monitors that are held on a page, in this order, in place of those it had. */
export async function setMonitors(tx: Tx, statusPageId: string, monitorIds: string[]): Promise<void> {
  await tx.statusPageMonitor.deleteMany({ where: { statusPageId } });
  await tx.statusPageMonitor.createMany({
    data: monitorIds.map((monitorId, position) => ({ statusPageId, monitorId, position })),
  });
}
