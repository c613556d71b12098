import { shiftOf } from '@/server/time/phase';
import type { Policy } from './types';

/**
 * Changes the confirmation for several regions. They confirm each other, so each needs one failing check less, and the number does not adapt.
 */
export function confirmedByOthers<Confirm extends Pick<Policy, 'failures' | 'isAdaptive'>>(confirm: Confirm): Confirm {
  return { ...confirm, failures: Math.max(1, confirm.failures - 1), isAdaptive: false };
}

/** Returns the policy for the checks of one region ('': of the monitor itself). Shifts the phase, so that regions check in turns. */
export function policyIn({ policy, regions }: { policy: Policy; regions: string[] }, region: string): Policy {
  const phaseShift = shiftOf(regions.indexOf(region), regions.length);
  return phaseShift > 0 ? { ...policy, phaseShift } : policy;
}
