import type { CheckAttempt, LastGoodCheck } from '@/server/incidents/schema';
import type { TextToMask } from '@/server/platform/masking/mask-task';
import { MASK } from '@/server/platform/secrets';

/** The stored content of an attempt. */
export interface KeptAttempt {
  attempt: CheckAttempt;
  lastGood: LastGoodCheck | null;
}

/** The maximum stored length of a body. */
export const MOST_BODY = 16 * 1024;

/** A text that may contain a secret, and the function that replaces it with the masked text; null if it could not be masked. */
export interface PutText extends TextToMask {
  put: (clean: string | null) => void;
}

/** The texts of an attempt that may repeat a secret. Bodies come last, because they take longest. */
export function textsIn({ attempt, lastGood }: KeptAttempt): PutText[] {
  const { exchanges, rules } = attempt;
  const heads = exchanges.flatMap(({ request, response }) => [request, response].flatMap((each) => each ?? []));
  const fields = [...heads.flatMap(({ headers }) => headers), ...(lastGood?.headers ?? [])];
  return [
    ...heads.map((head) => textOf(head, 'line')),
    ...fields.filter(({ value }) => value !== MASK).map((field) => textOf(field, 'value')),
    ...rules.flatMap((rule) => [textOf(rule, 'rule'), ...(rule.value === null ? [] : [textOf(rule, 'value')])]),
    ...exchanges.flatMap(({ body }) => (body ? bodyOf(body) : [])),
  ];
}

function textOf<Key extends string>(holder: { [K in Key]: string | null }, key: Key): PutText {
  const put = (clean: string | null) => {
    holder[key] = clean ?? MASK;
  };
  return { text: holder[key] ?? '', put };
}

function bodyOf(body: NonNullable<CheckAttempt['exchanges'][number]['body']>): PutText[] {
  const { text, isTruncated } = body;
  if (text === null) return [];
  const put = (clean: string | null) => {
    body.text = clean === null ? null : clean.slice(0, MOST_BODY).toWellFormed();
    body.notStored = clean === null ? 'not_masked' : null;
  };
  return [{ text, isCut: isTruncated, put }];
}
