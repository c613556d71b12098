import { shiftOf } from '@/server/time/phase';
import type { Policy } from './types';

/** Where several regions decide, each confirms the others: one failing check less is enough of each. */
export function confirmedByOthers<Confirm extends Pick<Policy, 'failures'>>(confirm: Confirm): Confirm {
  return { ...confirm, failures: Math.max(1, confirm.failures - 1) };
}

/** The rules for the checks of one region ('': of the monitor itself), which lie between those of the others. */
export function policyIn({ policy, regions }: { policy: Policy; regions: string[] }, region: string): Policy {
  const phaseShift = shiftOf(regions.indexOf(region), regions.length);
  return phaseShift > 0 ? { ...policy, phaseShift } : policy;
}
