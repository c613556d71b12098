import type { Tx } from '@/server/platform/db';
import { invalidField } from '@/server/platform/errors';
import { holdMonitors } from '@/server/platform/locks';
import { writeComponentOrder, writeDisplayNames } from './queries';

/**
 * Verifies that all monitors belong to the team and locks them against deletion until the transaction ends.
 * @throws AppError VALIDATION_ERROR at monitorIds
 */
export async function assertMonitors(tx: Tx, teamId: string, monitorIds: string[]): Promise<void> {
  const known = await holdMonitors(tx, teamId, monitorIds);
  if (known.size === monitorIds.length) return;
  const missing = monitorIds.filter((id) => !known.has(id));
  throw invalidField('monitorIds', `There is no monitor ${missing[0]?.slice(0, 64)} in this team.`);
}

/** Replaces the monitors of a page with these locked monitors, without display names, and sets the order of monitors and components. */
export async function setMonitors(
  tx: Tx,
  statusPageId: string,
  { monitorIds, order }: { monitorIds: string[]; order: string[] },
): Promise<void> {
  const positions = new Map(order.map((id, position) => [id, position]));
  await tx.statusPageMonitor.deleteMany({ where: { statusPageId } });
  await tx.statusPageMonitor.createMany({
    data: monitorIds.map((monitorId) => ({ statusPageId, monitorId, position: positions.get(monitorId) ?? 0 })),
  });
  await writeComponentOrder(tx, statusPageId, order);
}

/**
 * Sets the display names of the monitors on a page and clears the others.
 * @param names by monitor ID; `monitorIds` are those on the page
 * @throws AppError VALIDATION_ERROR at displayNames (a monitor that is not on the page)
 */
export async function setDisplayNames(
  tx: Tx,
  statusPageId: string,
  { monitorIds, names }: { monitorIds: string[]; names: Record<string, string> },
): Promise<void> {
  const stray = Object.keys(names).find((id) => !monitorIds.includes(id));
  if (stray !== undefined) throw invalidField(`displayNames.${stray}`, 'This monitor is not on the page.');
  await writeDisplayNames(tx, statusPageId, names);
}
