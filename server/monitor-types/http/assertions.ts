import { includesText } from '@/server/monitor-types/linear-search';
import type { HttpAssertion } from '@/server/monitor-types/schema';
import { excerpt } from '../excerpt';
import { NOT_SAVED, type Rule } from '../verdict';
import type { HttpAnswer } from './answer';
import { search } from './pattern';
import { Readable, Unmet, whyUnread } from './readable';

type Value = string | number | boolean;
type Quote = (value: unknown) => string;

/** Matches patterns whose result may depend on later text. */
const DEPENDS_ON_END = /\$|\\[zbB]/;

/**
 * Rejects an assertion about a body that was not read completely, unless the read part already meets it and the rest cannot change that.
 * @throws Unmet
 */
function assertDecidable({ source, operator, value: wanted }: HttpAssertion, values: unknown[], read: Readable): void {
  const unread = source === 'body' ? whyUnread(read.answer) : null;
  if (unread === null) return;
  const isPositive = operator === 'contains' || (operator === 'matches' && !DEPENDS_ON_END.test(String(wanted)));
  const isMet = operator === 'exists' ? values.length > 0 : isPositive && holds(operator, values, wanted ?? '', show);
  if (!isMet) throw new Unmet(`${unread}, so "body ${operator}" could not be decided`);
}

/** How causes and evidence quote a value. */
function quoteOf({ source }: HttpAssertion, { isSaved }: Readable): Quote {
  return isSaved || (source !== 'body' && source !== 'json') ? show : () => NOT_SAVED;
}

function nameOf({ source, property }: HttpAssertion): string {
  if (source === 'header') return `header ${property}`;
  return source === 'json' ? (property ?? 'json') : source;
}

/** Returns the values that an assertion is about: several if a JSON path selects several, none if nothing is selected. */
function valuesOf({ source, property = '' }: HttpAssertion, read: Readable): unknown[] {
  switch (source) {
    case 'status':
      return [read.answer.statusCode];
    case 'latency':
      return [Math.round(read.latencyMs)];
    case 'header': {
      const value = read.header(property);
      return value === undefined ? [] : [value];
    }
    case 'body':
      return read.answer.body.length === 0 ? [] : [read.text()];
    case 'json':
      return read.select(property);
    default:
      return source satisfies never;
  }
}

const isScalar = (value: unknown): value is Value | null => value === null || typeof value !== 'object';

function numberOf(value: unknown, quote: Quote): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || Number.isNaN(number)) throw new Unmet(`${quote(value)} is not a number`);
  return number;
}

/** Compares as text, or as numbers if one of the values is a number, so that "1.0" equals 1. */
function equals(seen: unknown, wanted: Value): boolean {
  if (!isScalar(seen)) return JSON.stringify(seen) === String(wanted);
  if (String(seen) === String(wanted)) return true;
  if (typeof seen !== 'number' && typeof wanted !== 'number') return false;
  return typeof seen !== 'boolean' && seen !== null && seen !== '' && Number(seen) === Number(wanted);
}

function contains(seen: unknown, wanted: Value, quote: Quote): boolean {
  if (Array.isArray(seen)) return seen.some((element) => equals(element, wanted));
  if (!isScalar(seen) || seen === null) throw new Unmet(`${quote(seen)} is not text`);
  return includesText(String(seen), String(wanted));
}

function matches(seen: unknown, pattern: Value, quote: Quote): boolean {
  if (!isScalar(seen) || seen === null) throw new Unmet(`${quote(seen)} is not text`);
  try {
    return search(String(pattern), String(seen));
  } catch {
    throw new Unmet(`${show(pattern)} is not a regular expression`);
  }
}

function show(value: unknown): string {
  // A body may have 1 MiB.
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, 81) : value) ?? 'nothing';
  return excerpt(text);
}

const IN_WORDS = {
  equals: 'to be',
  notEquals: 'not to be',
  contains: 'to contain',
  notContains: 'not to contain',
  matches: 'to match',
  notMatches: 'not to match',
  lessThan: 'to be less than',
  greaterThan: 'to be greater than',
} as const;

function holds(operator: keyof typeof IN_WORDS, values: unknown[], wanted: Value, quote: Quote): boolean {
  switch (operator) {
    case 'equals':
      return values.some((value) => equals(value, wanted));
    case 'notEquals':
      return !values.some((value) => equals(value, wanted));
    case 'contains':
      return values.some((value) => contains(value, wanted, quote));
    case 'notContains':
      return !values.some((value) => contains(value, wanted, quote));
    case 'matches':
      return values.some((value) => matches(value, wanted, quote));
    case 'notMatches':
      return !values.some((value) => matches(value, wanted, quote));
    case 'lessThan':
      return values.every((value) => numberOf(value, quote) < numberOf(wanted, show));
    case 'greaterThan':
      return values.every((value) => numberOf(value, quote) > numberOf(wanted, show));
    default:
      return operator satisfies never;
  }
}

function assertHolds(assertion: HttpAssertion, read: Readable): void {
  const { operator, value: wanted } = assertion;
  const name = nameOf(assertion);
  const values = valuesOf(assertion, read);
  assertDecidable(assertion, values, read);
  if (operator === 'exists') {
    if (values.length === 0) throw new Unmet(`Expected ${name} to exist`);
    return;
  }
  if (operator === 'notExists') {
    if (values.length > 0) throw new Unmet(`Expected ${name} not to exist`);
    return;
  }
  if (wanted === undefined) throw new Unmet(`The assertion about ${name} has no value`);
  const expected = `Expected ${name} ${IN_WORDS[operator]} ${show(wanted)}`;
  if (values.length === 0) throw new Unmet(`${expected}, but it is not there`);
  const quote = quoteOf(assertion, read);
  if (holds(operator, values, wanted, quote)) return;
  throw new Unmet(`${expected}, got ${quote(values.length === 1 ? values[0] : values)}`);
}

/** Returns the value of an assertion as evidence shows it; null if there is none. */
function shownValue(assertion: HttpAssertion, read: Readable): string | null {
  const values = valuesOf(assertion, read);
  return values.length === 0 ? null : quoteOf(assertion, read)(values.length === 1 ? values[0] : values);
}

function toRule(assertion: HttpAssertion, read: Readable): Rule {
  const { operator, value } = assertion;
  const rule = `${nameOf(assertion)} ${operator}${value === undefined ? '' : ` ${show(value)}`}`;
  try {
    const seen = shownValue(assertion, read);
    assertHolds(assertion, read);
    return { rule, value: seen, isMet: true };
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    return { rule, value: valueOrWhy(assertion, read), isMet: false };
  }
}

function valueOrWhy(assertion: HttpAssertion, read: Readable): string | null {
  try {
    return shownValue(assertion, read);
  } catch (error) {
    return error instanceof Unmet ? error.message : null;
  }
}

/**
 * Returns every assertion with the value that it was applied to, and whether it is met.
 * @param isSaved whether the body may be quoted
 */
export function assertionRules(
  assertions: HttpAssertion[],
  answer: HttpAnswer,
  latencyMs: number,
  isSaved = true,
): Rule[] {
  const read = new Readable(answer, latencyMs, isSaved);
  return assertions.map((assertion) => toRule(assertion, read));
}

/**
 * Returns the first failing assertion as a sentence; null if all pass. An assertion that cannot be evaluated (a missing header, a body that is not
 * JSON, a value that is not a number) fails, whatever its operator. If a JSON path selects several values: one that equals, contains or matches is
 * enough; `not…` fails if any value matches; all must be less or greater.
 * @param isSaved whether the body may be quoted
 */
export function firstUnmet(
  assertions: HttpAssertion[],
  answer: HttpAnswer,
  latencyMs: number,
  isSaved = true,
): string | null {
  if (assertions.length === 0) return null;
  const read = new Readable(answer, latencyMs, isSaved);
  for (const assertion of assertions) {
    try {
      assertHolds(assertion, read);
    } catch (error) {
      if (error instanceof Unmet) return error.message;
      throw error;
    }
  }
  return null;
}
