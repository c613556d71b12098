import { nextDue } from '@/server/time/phase';
import type { Finding } from '../finding';
import { policyIn } from '../verdict/regional-policy';
import { type Claim, claimKey } from './claim';
import type { Plan } from './plan';

const MOST_KEPT = 50_000;

const keyOf = ({ monitorId, region }: Claim) => claimKey(monitorId, region);

/** The next check of a monitor in a region, by the last claim of it. */
export interface UpcomingCheck {
  claim: Claim;
  plan: Plan;
  dueAt: Date;
  /** How many checks in a row have contradicted the status of the claim. */
  rechecks: number;
}

/**
 * The checks that this worker made last, with the time of each one's next, so that it can go on while the database grants no claims or records no
 * results. Of several workers, only the one that made a monitor's last check knows a next one that was not due at its last look at the schedule.
 */
export class UpcomingChecks {
  /** Their results wait: the worker still holds the claim, so nobody else makes the next check. */
  private readonly unrecorded = new Map<string, UpcomingCheck>();
  private readonly recorded = new Map<string, UpcomingCheck>();
  private lookedUntil = new Date(0);

  /** Notes a check that was made. A contradiction of the status is rechecked as it would be with the database. */
  note({ claim, plan, rechecks = 0 }: Pick<UpcomingCheck, 'claim' | 'plan'> & { rechecks?: number }, finding: Finding) {
    const policy = policyIn(plan, claim.region);
    const { failures, recoveries, retryDelayMs } = policy;
    const isAgainst = finding.verdict.status !== claim.state.status;
    const isConfirming = isAgainst && rechecks < Math.max(failures, recoveries);
    const recheckAt = new Date(finding.at.getTime() + Math.max(retryDelayMs, 1_000));
    const dueAt = isConfirming ? recheckAt : nextDue(policy, finding.at);
    this.unrecorded.set(keyOf(claim), { claim, plan, dueAt, rechecks: isAgainst ? rechecks + 1 : 0 });
  }

  /** Notes that a result was recorded, and when the next check is due; null if it did not count, or if any worker may claim the next one. */
  settle(claim: Claim, dueAt: Date | null): void {
    const key = keyOf(claim);
    const check = this.unrecorded.get(key);
    this.unrecorded.delete(key);
    this.recorded.delete(key);
    if (this.recorded.size >= MOST_KEPT) this.recorded.clear();
    if (check && dueAt) this.recorded.set(key, { ...check, dueAt });
  }

  /** Forgets a monitor that was claimed anew: the new claim brings its next check. */
  forget(claim: Claim): void {
    this.unrecorded.delete(keyOf(claim));
    this.recorded.delete(keyOf(claim));
  }

  /** Notes that everything that is due until then was claimed, by any worker. */
  claimedUntil(until: Date): void {
    this.lookedUntil = until;
  }

  /**
   * Takes the checks that are due and that nobody else makes.
   * @param isRecording whether the database records results: then, those whose last results wait are claimed as soon as these are recorded
   * @param isClaiming whether the database grants claims
   */
  takeDue(now: Date, { isRecording, isClaiming }: { isRecording: boolean; isClaiming: boolean }): UpcomingCheck[] {
    const due: UpcomingCheck[] = [];
    const take = (checks: Map<string, UpcomingCheck>, after: Date) => {
      for (const [key, check] of checks) {
        if (check.dueAt <= after || check.dueAt > now) continue;
        checks.delete(key);
        due.push(check);
      }
    };
    if (!isRecording || !isClaiming) take(this.unrecorded, new Date(0));
    if (!isClaiming) take(this.recorded, this.lookedUntil);
    return due;
  }
}
