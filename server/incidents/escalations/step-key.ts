/** A step of an incident's escalation. Its rounds are counted on across restarts. */
export interface TakenStep {
  round: number;
  /** From 0. */
  step: number;
}

/** The key of the messages of a step: a channel gets one of each step. */
export const stepKey = (incidentId: string, { round, step }: TakenStep) => `escalation:${incidentId}:${round}:${step}`;

/** The step of such a key. */
export function parseStepKey(key: string): TakenStep {
  const [round, step] = key.split(':').slice(2).map(Number);
  if (round === undefined || step === undefined) throw new Error(`Not the key of a step: ${key}`);
  return { round, step };
}
