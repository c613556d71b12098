import { nextDue } from '@/server/time/phase';
import type { Finding } from '../finding';
import { policyIn } from '../verdict/regional-policy';
import { type Claim, claimKey } from './claim';
import type { Plan } from './plan';

const MOST_KEPT = 50_000;

const keyOf = ({ monitorId, region }: Claim) => claimKey(monitorId, region);

/**
 * A check whose result is recorded. Its plan is a weak reference, so that plans of deleted monitors do not stay in memory; `Plans` keeps the others.
 */
type Recorded = Omit<UpcomingCheck, 'plan'> & { plan: WeakRef<Plan> };

/** The next check of a monitor in a region, based on its last claim. */
export interface UpcomingCheck {
  claim: Claim;
  plan: Plan;
  dueAt: Date;
  /** The number of consecutive checks that contradicted the status of the claim. */
  rechecks: number;
}

/**
 * The next due times of the checks that this worker ran last, so that it can continue while the database grants no claims or records no results. Of
 * several workers, only the one that ran a monitor's last check runs the next one. It skips checks that its last poll covered, because any worker may
 * have claimed those.
 */
export class UpcomingChecks {
  /** Checks whose last results are not recorded yet: the worker still holds the claim, so nobody else runs the next check. */
  private readonly unrecorded = new Map<string, UpcomingCheck>();
  private readonly recorded = new Map<string, Recorded>();
  private claimedThrough = new Date(0);

  /** Stores a check that ran and when the next one is due: soon, as a recheck, if it contradicts the status; otherwise at the regular time. */
  note({ claim, plan, rechecks = 0 }: Pick<UpcomingCheck, 'claim' | 'plan'> & { rechecks?: number }, finding: Finding) {
    const policy = policyIn(plan, claim.region);
    const { failures, recoveries, retryDelayMs } = policy;
    const isAgainst = finding.verdict.status !== claim.state.status;
    const isConfirming = isAgainst && rechecks < Math.max(failures, recoveries);
    const recheckAt = new Date(finding.at.getTime() + Math.max(retryDelayMs, 1_000));
    const dueAt = isConfirming ? recheckAt : nextDue(policy, finding.at);
    this.unrecorded.set(keyOf(claim), { claim, plan, dueAt, rechecks: isAgainst ? rechecks + 1 : 0 });
  }

  /**
   * Stores that a result was recorded and when the next check is due.
   * @param dueAt null forgets the check, because the result did not count or any worker may claim the next check
   */
  settle(claim: Claim, dueAt: Date | null): void {
    const key = keyOf(claim);
    const check = this.unrecorded.get(key);
    this.unrecorded.delete(key);
    this.recorded.delete(key);
    if (this.recorded.size >= MOST_KEPT) this.recorded.clear();
    if (check && dueAt) this.recorded.set(key, { ...check, plan: new WeakRef(check.plan), dueAt });
  }

  /** Removes a monitor that was claimed again, because the new claim schedules its next check. */
  forget(claim: Claim): void {
    this.unrecorded.delete(keyOf(claim));
    this.recorded.delete(keyOf(claim));
  }

  /** Stores that everything due until then was claimed, by any worker. */
  claimedUntil(until: Date): void {
    this.claimedThrough = until;
  }

  /**
   * Removes and returns the due checks that nobody else runs. Returns none while the database records results and grants claims.
   * @param isRecording whether the database records results
   * @param isClaiming whether the database grants claims
   */
  takeDue(now: Date, { isRecording, isClaiming }: { isRecording: boolean; isClaiming: boolean }): UpcomingCheck[] {
    const due: UpcomingCheck[] = [];
    const take = <Check extends UpcomingCheck | Recorded>(
      checks: Map<string, Check>,
      after: Date,
      planOf: (check: Check) => Plan | undefined,
    ) => {
      for (const [key, check] of checks) {
        if (check.dueAt <= after || check.dueAt > now) continue;
        checks.delete(key);
        const plan = planOf(check);
        if (plan) due.push({ ...check, plan });
      }
    };
    if (!isRecording || !isClaiming) take(this.unrecorded, new Date(0), ({ plan }) => plan);
    if (!isClaiming) take(this.recorded, this.claimedThrough, ({ plan }) => plan.deref());
    return due;
  }
}
