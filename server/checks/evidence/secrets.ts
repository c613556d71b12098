import { plainSecrets } from '@/server/monitor-types/config/config-secrets';
import { harmlessHeader } from '@/server/monitor-types/config/headers';
import type { Observation, Verdict } from '@/server/monitor-types/probing/observation';
import { maskApart } from '@/server/platform/masking/mask-apart';
import type { Secret } from '@/server/platform/masking/parts';
import type { Plan } from '../schedule/plan';

const NOT_SHOWN = 'The cause is not shown, because secrets could not be masked in it';

/** The secrets of a monitor, and the values of sent headers, for example an access token that is not part of the config. */
export function secretsOf({ target }: Plan, observation: Observation | null): Secret[] {
  const sent = (observation?.trace.exchanges ?? []).flatMap(({ headers }) =>
    Object.entries(headers).flatMap(([name, value]) => (harmlessHeader.test(name) ? [] : [value])),
  );
  const credentials = [...new Set(sent)].map((value) => ({ value, kind: 'credential' as const }));
  return [...(target ? plainSecrets(target) : []), ...credentials];
}

/** Masks secrets of the monitor in the verdict's cause, which may quote what the target answered. Rejects if the signal aborts. */
export async function withoutSecrets(
  plan: Plan,
  observation: Observation,
  verdict: Verdict,
  signal: AbortSignal,
): Promise<Verdict> {
  if (verdict.error === null) return verdict;
  const options = { team: plan.monitor.teamId, signal };
  const [error = null] = await maskApart(secretsOf(plan, observation), [{ text: verdict.error }], options);
  return { ...verdict, error: error ?? NOT_SHOWN };
}
