import { plainSecrets } from '@/server/monitor-types/config/config-secrets';
import { harmlessHeader } from '@/server/monitor-types/config/headers';
import type { Observation, Verdict } from '@/server/monitor-types/probing/observation';
import type { CheckedConfig } from '@/server/monitor-types/schema';
import { maskApart } from '@/server/platform/masking/mask-apart';
import type { TextToMask } from '@/server/platform/masking/mask-task';
import type { Secret } from '@/server/platform/masking/parts';
import { MASK } from '@/server/platform/secrets';
import type { CheckAttempt, LastGoodCheck } from '../schema';

/** A version of a monitor that was checked, with its decrypted config. */
export interface CheckedMonitor {
  monitor: { id: string; teamId: string; version: number };
  /** Null if its secrets cannot be decrypted, and for a passive type. */
  target: CheckedConfig | null;
}

const NOT_SHOWN = 'The cause is not shown, because secrets could not be masked in it';

/**
 * Returns the secrets of a monitor, the values of the headers that it sent, such as an access token that is not part of the config, and the values
 * that steps took from responses.
 */
export function secretsOf({ target }: CheckedMonitor, observation: Observation | null): Secret[] {
  const sent = (observation?.trace.exchanges ?? []).flatMap(({ headers }) =>
    Object.entries(headers).flatMap(([name, value]) => (harmlessHeader.test(name) ? [] : [value])),
  );
  const credentials = [...new Set([...sent, ...(observation?.trace.secrets ?? [])])].map((value) => ({
    value,
    kind: 'credential' as const,
  }));
  return [...(target ? plainSecrets(target) : []), ...credentials];
}

/**
 * Masks secrets of the monitor in the verdict's cause, which may quote the target. Replaces the whole cause if they cannot be masked. Rejects if the
 * signal aborts.
 */
export async function withoutSecrets(
  plan: CheckedMonitor,
  observation: Observation,
  verdict: Verdict,
  signal: AbortSignal,
): Promise<Verdict> {
  if (verdict.error === null) return verdict;
  const options = { team: plan.monitor.teamId, signal };
  const [error = null] = await maskApart(secretsOf(plan, observation), [{ text: verdict.error }], options);
  return { ...verdict, error: error ?? NOT_SHOWN };
}

/** The stored content of an attempt. */
export interface KeptAttempt {
  attempt: CheckAttempt;
  lastGood: LastGoodCheck | null;
}

/** The maximum stored length of a body, and of all bodies of a check. */
export const MOST_BODY = 16 * 1024;
const MOST_OF_BODIES = 48 * 1024;

/** The maximum stored length of each body if a check has this many. */
export const mostOfBody = (bodies: number): number =>
  Math.min(MOST_BODY, Math.floor(MOST_OF_BODIES / Math.max(1, bodies)));

/** A text that may contain a secret. `put` replaces it with the masked text, or with a mask if it could not be masked (null). */
export interface PutText extends TextToMask {
  put: (clean: string | null) => void;
}

/** Returns the texts of an attempt that may contain a secret. Bodies come last, because they take longest to mask. */
export function textsIn({ attempt, lastGood }: KeptAttempt): PutText[] {
  const { exchanges, rules } = attempt;
  const most = mostOfBody(exchanges.filter(({ body }) => body).length);
  const heads = exchanges.flatMap(({ request, response }) => [request, response].flatMap((each) => each ?? []));
  const fields = [...heads.flatMap(({ headers }) => headers), ...(lastGood?.headers ?? [])];
  return [
    ...heads.map((head) => textOf(head, 'line')),
    ...fields.filter(({ value }) => value !== MASK).map((field) => textOf(field, 'value')),
    ...rules.flatMap((rule) => [textOf(rule, 'rule'), ...(rule.value === null ? [] : [textOf(rule, 'value')])]),
    ...exchanges.flatMap(({ body }) => (body ? bodyOf(body, most) : [])),
  ];
}

function textOf<Key extends string>(holder: { [K in Key]: string | null }, key: Key): PutText {
  const put = (clean: string | null) => {
    holder[key] = clean ?? MASK;
  };
  return { text: holder[key] ?? '', put };
}

function bodyOf(body: NonNullable<CheckAttempt['exchanges'][number]['body']>, most: number): PutText[] {
  const { text, isTruncated } = body;
  if (text === null) return [];
  const put = (clean: string | null) => {
    body.text = clean === null ? null : clean.slice(0, most).toWellFormed();
    body.notStored = clean === null ? 'not_masked' : null;
  };
  return [{ text, isCut: isTruncated, put }];
}
