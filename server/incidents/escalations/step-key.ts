/** A step of an incident's escalation. The number of the round grows across restarts. */
export interface TakenStep {
  round: number;
  /** Counted from 0. */
  step: number;
}

/** Returns the event key of a step's messages, so that a channel gets one message per step. */
export const stepKey = (incidentId: string, { round, step }: TakenStep) => `escalation:${incidentId}:${round}:${step}`;

/** Parses the event key of a step's messages. */
export function parseStepKey(key: string): TakenStep {
  const [round, step] = key.split(':').slice(2).map(Number);
  if (round === undefined || step === undefined) throw new Error(`Not the key of a step: ${key}`);
  return { round, step };
}
