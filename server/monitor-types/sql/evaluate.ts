import type { Observation, Verdict } from '@/server/monitor-types/probing/observation';
import { excerpt } from '../excerpt';
import { down, NOT_SAVED, type Rule, UP } from '../verdict';
import type { QueryResult } from './query';

interface Expecting {
  expectedValue?: string | undefined;
  saveResponseBody?: boolean | undefined;
}

const quoted = (text: string) => JSON.stringify(excerpt(text));

function inWords(value: QueryResult['value'], isSaved: boolean): string {
  if (value === undefined) return 'no row';
  if (value === null) return 'NULL';
  return isSaved ? quoted(value) : NOT_SAVED;
}

/** Returns the verdict on the result of a query. Its first value must be the expected one, if one is set. */
export function evaluateQuery(
  { expectedValue, saveResponseBody = true }: Expecting,
  { evidence }: Observation<QueryResult>,
): Verdict {
  if (expectedValue === undefined || evidence?.value === expectedValue) return UP;
  return down(`Expected ${quoted(expectedValue)}, got ${inWords(evidence?.value, saveResponseBody)}`);
}

export function queryRules(
  { expectedValue, saveResponseBody = true }: Expecting,
  { evidence }: Observation<QueryResult>,
): Rule[] {
  if (expectedValue === undefined || !evidence) return [];
  const value = inWords(evidence.value, saveResponseBody);
  return [{ rule: `value ${quoted(expectedValue)}`, value, isMet: evidence.value === expectedValue }];
}
