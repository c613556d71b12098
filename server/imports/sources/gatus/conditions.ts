import { escaped, toRanges } from '../../convert/conversion';
import { NotCarriedOver } from '../../draft';
import { durationMs } from './fields';

type Comparison = '==' | '!=' | '<=' | '>=' | '<' | '>';

interface Condition {
  text: string;
  /** The placeholder that is compared, such as `[STATUS]` or `[BODY].user.name`. */
  subject: string;
  /** A function of the subject: `len` or `has`. */
  apply: string | null;
  comparison: Comparison;
  wanted: string;
}

/** The conditions of an endpoint, converted to settings of a monitor. */
export interface Rules {
  /** The accepted status codes as ranges; null without a condition. */
  statuses: string[] | null;
  /** The response time in milliseconds at which a check fails; null without a condition. */
  slowMs: number | null;
  /** For how many days a certificate must be valid; null without a condition. */
  certificateDays: number | null;
  /** Assertions about the body and its JSON. */
  assertions: Assertion[];
  /** The values that a DNS answer may have; null without a condition. */
  answers: string[] | null;
  notes: string[];
}

export interface Assertion {
  source: 'body' | 'json';
  property?: string;
  operator: string;
  value?: string | number;
}

const FLIPPED: Record<Comparison, Comparison> = { '==': '==', '!=': '!=', '<=': '>=', '>=': '<=', '<': '>', '>': '<' };
const DAY_MS = 86_400_000;
/** The longest warning before a certificate expires. */
const MOST_DAYS = 365;
const MOST_SHOWN = 80;
/** The maximum number of ranges of a monitor. */
const MOST_RANGES = 20;

const refused = ({ text }: Pick<Condition, 'text'>) =>
  new NotCarriedOver(`The condition ${text.slice(0, MOST_SHOWN)} has no counterpart.`);

/**
 * Parses a condition as Gatus does: splits it at the first operator of this list that it contains. Puts the placeholder on the left.
 * @throws NotCarriedOver
 */
function parse(text: string): Condition {
  const comparison = (['==', '!=', '<=', '>=', '>', '<'] as const).find((each) => text.includes(` ${each} `));
  if (!comparison) throw refused({ text });
  const [left = '', right = ''] = text.split(` ${comparison} `).map((side) => side.trim());
  const isFlipped = !/\[[A-Z_]+\]/i.test(left) && /\[[A-Z_]+\]/i.test(right);
  const [side, wanted] = isFlipped ? [right, left] : [left, right];
  const [, apply = null, inner = side] = /^(len|has)\((.*)\)$/s.exec(side) ?? [];
  if (/^\[[A-Z_]+\]|^(?:len|has)\(\[/i.test(wanted)) throw refused({ text });
  return { text, subject: inner, apply, comparison: isFlipped ? FLIPPED[comparison] : comparison, wanted };
}

/** Returns the text in the parentheses of a function such as `any(200, 429)`; null for any other text. */
function argumentOf(name: 'any' | 'pat', text: string): string | null {
  return text.startsWith(`${name}(`) && text.endsWith(')') ? text.slice(name.length + 1, -1) : null;
}

const anyOf = (wanted: string) =>
  argumentOf('any', wanted)
    ?.split(',')
    .map((each) => each.trim()) ?? null;

/**
 * Returns the wanted number, or the milliseconds of a duration. Drops fractions, as Gatus does.
 * @throws NotCarriedOver
 */
function numberOf(condition: Condition): number {
  const { wanted } = condition;
  const value = durationMs(wanted) || Number(wanted);
  if (wanted === '' || !Number.isFinite(value)) throw refused(condition);
  return Math.trunc(value);
}

/**
 * Converts a pattern with `*` and `?` to a part of a regular expression (RE2).
 * @throws NotCarriedOver for character classes and escapes
 */
function expressionOf(condition: Condition, pattern: string): string {
  if (/[[\]\\]/.test(pattern)) throw refused(condition);
  return pattern
    .split(/([*?])/)
    .map((part) => (part === '*' ? '.*' : part === '?' ? '.' : escaped(part)))
    .join('');
}

/** Returns whether a whole number meets a comparison. */
function holds(comparison: Comparison, seen: number, wanted: number): boolean {
  switch (comparison) {
    case '==':
      return seen === wanted;
    case '!=':
      return seen !== wanted;
    case '<':
      return seen < wanted;
    case '<=':
      return seen <= wanted;
    case '>':
      return seen > wanted;
    case '>=':
      return seen >= wanted;
    default:
      return comparison satisfies never;
  }
}

/**
 * Returns a function that tells whether a status code meets a condition.
 * @throws NotCarriedOver
 */
function acceptsStatus(condition: Condition): (code: number) => boolean {
  const { comparison, wanted } = condition;
  const isEquality = comparison === '==' || comparison === '!=';
  const codes = isEquality ? anyOf(wanted) : null;
  if (codes) return (code) => codes.includes(String(code)) === (comparison === '==');
  const pattern = isEquality ? argumentOf('pat', wanted) : null;
  if (pattern !== null) {
    const [, start, rest] = /^(\d*)(\**)$/.exec(pattern) ?? [];
    if (start === undefined) throw refused(condition);
    const matches = (code: number) => (rest === '' ? String(code) === start : String(code).startsWith(start));
    return (code) => matches(code) === (comparison === '==');
  }
  const number = numberOf(condition);
  return (code) => holds(comparison, code, number);
}

/**
 * Returns the status codes that all conditions accept, as ranges.
 * @throws NotCarriedOver if there are none, or too many ranges
 */
function rangesOf(conditions: Condition[]): string[] {
  const accepts = conditions.map(acceptsStatus);
  const ranges = toRanges((code) => accepts.every((accept) => accept(code)));
  if (ranges.length === 0 || ranges.length > MOST_RANGES) {
    throw new NotCarriedOver('Its conditions accept no status code, or too many single ones.');
  }
  return ranges;
}

/**
 * Converts a path such as `.data[0].first-name` to JSONPath (RFC 9535).
 * @throws NotCarriedOver
 */
function jsonPathOf(condition: Condition, path: string): string {
  const parts = [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]/gy)];
  const length = parts.reduce((sum, [part]) => sum + part.length, 0);
  if (length !== path.length) throw refused(condition);
  const names = parts.map(([, name, index]) => {
    if (name === undefined) return `[${index}]`;
    return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `['${name.replaceAll(/['\\]/g, '\\$&')}']`;
  });
  return `$${names.join('')}`;
}

/**
 * Converts a comparison with a text. Allows spaces around a body, because Gatus compares it without them.
 * @param isBody whether the whole body is compared, not a value in its JSON
 * @throws NotCarriedOver
 */
function compareText(condition: Condition, isBody: boolean): Pick<Assertion, 'operator' | 'value'> {
  const { comparison, wanted } = condition;
  const isEqual = comparison === '==';
  const options = anyOf(wanted);
  const pattern = argumentOf('pat', wanted);
  const [, inner] = (isBody && /^\*([^*?[\]\\]+)\*$/.exec(pattern ?? '')) || [];
  if (inner !== undefined) return { operator: isEqual ? 'contains' : 'notContains', value: inner };
  const isPlain = options === null && pattern === null;
  if (isPlain && !isBody) return { operator: isEqual ? 'equals' : 'notEquals', value: wanted };
  // Patterns of Gatus that must not match are not converted yet.
  if (!isEqual) throw refused(condition);
  const expression = pattern === null ? (options ?? [wanted]).map(escaped).join('|') : expressionOf(condition, pattern);
  const around = isBody ? '\\s*' : '';
  return { operator: 'matches', value: `(?s)^${around}(${expression})${around}$` };
}

function compareNumber(condition: Condition): Pick<Assertion, 'operator' | 'value'> {
  const number = numberOf(condition);
  switch (condition.comparison) {
    case '<':
      return { operator: 'lessThan', value: number };
    case '<=':
      return { operator: 'lessThan', value: number + 1 };
    case '>':
      return { operator: 'greaterThan', value: number };
    default:
      return { operator: 'greaterThan', value: number - 1 };
  }
}

function toAssertion(condition: Condition): Assertion {
  const { subject, apply, comparison, wanted } = condition;
  const path = subject.slice('[BODY]'.length);
  const at =
    path === '' ? { source: 'body' as const } : { source: 'json' as const, property: jsonPathOf(condition, path) };
  const isEquality = comparison === '==' || comparison === '!=';
  if (apply === 'has' && path !== '' && isEquality && (wanted === 'true' || wanted === 'false')) {
    const isWanted = (wanted === 'true') === (comparison === '==');
    // In Gatus, a value of null counts as missing.
    return isWanted ? { ...at, operator: 'notEquals', value: 'null' } : { ...at, operator: 'notExists' };
  }
  if (apply !== null || (path === '' && !isEquality)) throw refused(condition);
  return { ...at, ...(isEquality ? compareText(condition, path === '') : compareNumber(condition)) };
}

/**
 * Returns the lowest response time in milliseconds at which a check fails; null without conditions.
 * @throws NotCarriedOver
 */
function slowOf(conditions: Condition[]): number | null {
  const limits = conditions.map((condition) => {
    if (condition.comparison !== '<' && condition.comparison !== '<=') throw refused(condition);
    return numberOf(condition) + (condition.comparison === '<=' ? 1 : 0);
  });
  return limits.length > 0 ? Math.min(...limits) : null;
}

/**
 * Returns for how many days a certificate must be valid, rounded up; null without conditions.
 * @throws NotCarriedOver
 */
function certificateDaysOf(conditions: Condition[]): number | null {
  const days = conditions.map((condition) => {
    if (condition.comparison !== '>' && condition.comparison !== '>=') throw refused(condition);
    const found = Math.ceil(numberOf(condition) / DAY_MS);
    if (found > MOST_DAYS) throw refused(condition);
    return found;
  });
  return days.length > 0 ? Math.max(...days) : null;
}

/**
 * Returns the values that a DNS answer may have; null if any value is accepted.
 * @throws NotCarriedOver
 */
function answersOf(conditions: Condition[]): string[] | null {
  const [only] = conditions;
  if (!only) return null;
  const pattern = argumentOf('pat', only.wanted);
  // `pat(*.*.*.*)` accepts any address, which every check requires anyway.
  if (conditions.length === 1 && pattern !== null && /^[*.:]+$/.test(pattern)) return null;
  if (conditions.length > 1 || only.comparison !== '==' || pattern !== null) throw refused(only);
  return anyOf(only.wanted) ?? [only.wanted];
}

/** Returns whether a condition requires that a value does not exist. */
const isAbsence = ({ apply, comparison, wanted }: Condition) =>
  apply === 'has' && (wanted === 'false') === (comparison === '==');

/** For `dns`, conditions on the body are about the answer. */
type Kind = 'dns' | 'ssh' | 'other';

/** Returns whether every check requires a condition anyway. */
const isImplied = ({ text }: Condition, kind: Kind) =>
  ['[CONNECTED] == true', '[DNS_RCODE] == NOERROR'].includes(text) || (kind === 'ssh' && text === '[STATUS] == 0');

/**
 * Converts the conditions of an endpoint.
 * @throws NotCarriedOver for a condition without a counterpart, because without it, the monitor would be up when it should be down
 */
export function toRules(texts: string[], kind: Kind): Rules {
  if (texts.length === 0) throw new NotCarriedOver('It has no conditions.');
  const conditions = texts.map((text) => parse(text.trim())).filter((condition) => !isImplied(condition, kind));
  const bySubject = (subject: string) =>
    conditions.filter((condition) => condition.subject === subject && condition.apply === null);
  const bodies = conditions.filter(({ subject }) => /^\[BODY\]/.test(subject));
  const statuses = bySubject('[STATUS]');
  const times = bySubject('[RESPONSE_TIME]');
  const certificates = bySubject('[CERTIFICATE_EXPIRATION]');
  const domains = bySubject('[DOMAIN_EXPIRATION]');
  const known = new Set([...bodies, ...statuses, ...times, ...certificates, ...domains]);
  const unknown = conditions.find((condition) => !known.has(condition));
  if (unknown) throw refused(unknown);
  return {
    statuses: statuses.length > 0 ? rangesOf(statuses) : null,
    slowMs: slowOf(times),
    certificateDays: certificateDaysOf(certificates),
    assertions: kind === 'dns' ? [] : bodies.map(toAssertion),
    answers: kind === 'dns' ? answersOf(bodies) : null,
    notes: [
      ...(domains.length > 0
        ? ['The expiry of its domain is not checked by this monitor. Create a domain monitor.']
        : []),
      ...(certificates.length > 0 ? ['A certificate that expires soon is a warning here, not a downtime.'] : []),
      ...(bodies.some(isAbsence) ? ['A value of null exists here.'] : []),
    ],
  };
}
