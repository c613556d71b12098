import { databaseNow } from '@/server/platform/database-now';
import { db } from '@/server/platform/db';
import type { Finding } from '../finding';
import type { Plan } from '../schedule/plan';
import { goneBefore } from '../schedule/presence';
import { blame, type EgressAges, Recent } from '../verdict/egress';
import { hasFailed, isEvidence, isUsualFailure, type Judged, toUnknown } from './egress';
import { anyOpens } from './probe';

/** The latest checks without a claim in this process. */
const recent = new Recent();

/** Returns when an egress check of the region's running workers last succeeded, and since when one of them has lost its network. */
async function readAges(region: string): Promise<EgressAges> {
  const { _max, _min } = await db.worker.aggregate({
    where: { region, seenAt: { gt: await goneBefore() } },
    _max: { canaryAt: true },
    _min: { lostAt: true },
  });
  const now = (await databaseNow()).getTime();
  const msAgo = (at: Date | null) => at && now - at.getTime();
  return { workedMsAgo: msAgo(_max.canaryAt), lostMsAgo: msAgo(_min.lostAt) };
}

/**
 * Returns the finding to record, in a process without regular egress checks. A failure becomes unknown if an egress check of this process fails too,
 * and the region's workers report that their network is lost or worked recently. It stays a failure if most recent checks pass.
 * @param wasDown whether the monitor was down before this check
 */
export async function judgeNow(
  plan: Plan,
  finding: Finding,
  { wasDown, region, ...judged }: Judged & { wasDown: boolean; region: string },
): Promise<Finding> {
  if (!isEvidence(judged, plan, finding)) return finding;
  const isFailing = hasFailed(plan, finding);
  if (!(isFailing && isUsualFailure(plan, wasDown))) recent.add(plan.monitor.id, isFailing, performance.now());
  if (!isFailing) return finding;
  const { workedMsAgo, lostMsAgo } = await readAges(region);
  if (workedMsAgo === null) return finding;
  const isAnswering = await anyOpens(judged.canaries);
  const now = performance.now();
  const state = {
    workedAt: now - workedMsAgo,
    lostSince: lostMsAgo === null ? null : now - lostMsAgo,
    graceUntil: Number.NEGATIVE_INFINITY,
  };
  const cause = blame(state, { isAnswering, isMostlyPassing: recent.isMostlyPassing(now) }, now);
  return cause === 'target' ? finding : toUnknown(finding);
}
