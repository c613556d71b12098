import { databaseNow } from '@/server/platform/database-now';
import { db } from '@/server/platform/db';
import type { Plan } from '../schedule/plan';
import { goneBefore } from '../schedule/presence';
import { blame, type CanaryAges, Recent } from '../verdict/canary';
import { isEvidence, type Judged, toUnknown } from './egress';
import { anyOpens } from './probe';
import type { Finding } from './run';

/** Monitors that were checked out of turn in this process. */
const recent = new Recent();

/** What the workers of a region know of its network. */
async function readCanary(region: string): Promise<CanaryAges> {
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
 * What a finding out of turn counts as, in a process that asks no canary by the minute: a failure is unknown where the
 * workers of its region have lost their network, or several such checks fail together, and the canary, which a worker
 * reached not long ago, is silent for this process too.
 *
 * @param wasDown whether the monitor was down before this check
 */
export async function judgeNow(
  plan: Plan,
  finding: Finding,
  { wasDown, region, ...judged }: Judged & { wasDown: boolean; region: string },
): Promise<Finding> {
  if (!isEvidence(judged, plan, finding, wasDown)) return finding;
  const isFailing = finding.verdict.status === 'down';
  recent.add(plan.monitor.id, isFailing, performance.now());
  if (!isFailing) return finding;
  const { workedMsAgo, lostMsAgo } = await readCanary(region);
  if (workedMsAgo === null || !recent.isSuspicious(lostMsAgo === null ? undefined : 1)) return finding;
  const isAnswering = await anyOpens(judged.canaries);
  const now = performance.now();
  const state = { workedAt: now - workedMsAgo, lostSince: lostMsAgo === null ? null : now - lostMsAgo };
  return blame(state, isAnswering, now) === 'they' ? finding : toUnknown(finding);
}
