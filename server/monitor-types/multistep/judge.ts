import { MASK } from '@/server/platform/schema';
import type { HttpAnswer } from '../http/answer';
import { answerFault, answerRules } from '../http/evaluate';
import { capture } from '../http/pattern';
import { Readable, Unmet, whyUnread } from '../http/readable';
import type { Rule } from '../verdict';
import type { Extraction, Step } from './definition';

/** The maximum length of a value. Tokens have up to a few thousand characters. */
const MOST_OF_VALUE = 8_192;

/** The response of a step, and what judges it. */
export interface StepQuestion {
  step: Pick<Step, 'expectedStatus' | 'assertions' | 'extract'>;
  answer: HttpAnswer;
  latencyMs: number;
  /** Whether the body may be quoted. */
  isSaved: boolean;
}

/** The judgement on a step. `fault` is a sentence; null if it passed, and then all of its values are there. Otherwise those that were found. */
export interface StepAnswer {
  fault: string | null;
  rules: Rule[];
  values: [name: string, value: string][];
}

function found({ from, expression }: Extraction, read: Readable): unknown {
  switch (from) {
    case 'json':
      return read.select(expression)[0];
    case 'header':
      return read.header(expression);
    case 'body': {
      const value = capture(expression, read.text());
      const unread = value === null ? whyUnread(read.answer) : null;
      if (unread !== null) throw new Unmet(`${unread}, and the part that was read does not match`);
      return value;
    }
    default:
      return from satisfies never;
  }
}

const IN_WORDS = { json: 'JSON', header: 'header', body: 'body' };

/**
 * The value of an extraction.
 * @throws Unmet if it is missing, empty or too long
 */
function takeValue(extraction: Extraction, read: Readable): string {
  const { name, from, expression } = extraction;
  const source = `"${name}" (${IN_WORDS[from]} ${expression.slice(0, 80)})`;
  const value = found(extraction, read);
  if (value === undefined || value === null) throw new Unmet(`No value for ${source}`);
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (text === '') throw new Unmet(`The value for ${source} is empty`);
  if (text.length > MOST_OF_VALUE) {
    throw new Unmet(`The value for ${source} is longer than ${MOST_OF_VALUE.toLocaleString('en')} characters`);
  }
  return text;
}

/** The first fault of these extractions, their rules without the values, and the values. */
function extractAll(extractions: Extraction[], read: Readable): StepAnswer {
  const all: StepAnswer = { fault: null, rules: [], values: [] };
  for (const extraction of extractions) {
    const { name, from, expression } = extraction;
    const rule = `{{${name}}} from ${IN_WORDS[from]} ${expression}`;
    try {
      all.values.push([name, takeValue(extraction, read)]);
      all.rules.push({ rule, value: MASK, isMet: true });
    } catch (error) {
      if (!(error instanceof Unmet)) throw error;
      all.fault ??= error.message;
      all.rules.push({ rule, value: null, isMet: false });
    }
  }
  return all;
}

/** Applies the rules of a step to its response, and takes the values for later steps. Pure. */
export function judgeStep({ step, answer, latencyMs, isSaved }: StepQuestion): StepAnswer {
  const config = { ...step, saveResponseBody: isSaved };
  const fault = answerFault(config, answer, latencyMs);
  const rules = answerRules(config, answer, latencyMs);
  const taken = extractAll(step.extract, new Readable(answer, latencyMs, isSaved));
  if (fault !== null) return { fault, rules, values: taken.values };
  return { ...taken, rules: [...rules, ...taken.rules] };
}
