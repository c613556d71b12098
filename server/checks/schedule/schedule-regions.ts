import type { Tx } from '@/server/platform/db';
import { AWAIT_MS } from '../verdict/majority';

/**
 * Has exactly these regions check a monitor next at `dueAt` (null: not at all), and nobody without a region; without
 * regions nothing is changed. Present claims are dropped. The caller holds the monitor's state locked.
 *
 * @param afresh whether what the regions saw so far counts no longer
 */
export async function scheduleRegions(
  tx: Tx,
  monitorId: string,
  regions: string[],
  { dueAt, afresh }: { dueAt: Date | null; afresh: boolean },
): Promise<void> {
  await tx.monitorRegion.deleteMany({
    where: { monitorId, ...(afresh ? {} : { region: { notIn: regions } }) },
  });
  if (regions.length === 0) return;
  const now = dueAt ?? new Date();
  await tx.monitorRegion.createMany({
    data: regions.map((region) => ({ monitorId, region, dueAt, statusSince: now })),
    skipDuplicates: true,
  });
  await tx.monitorRegion.updateMany({
    where: { monitorId },
    data: { dueAt, claimedBy: null, claimedUntil: null },
  });
  // Workers of no region look only whether these are silent.
  await tx.monitorState.update({
    where: { monitorId },
    data: { dueAt: dueAt && new Date(dueAt.getTime() + AWAIT_MS) },
  });
}
