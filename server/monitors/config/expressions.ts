import { RE2JS } from 're2js';
import { jsonPathFault } from './json-path';

/** A user's expression, and the field it stands in. */
export interface Expression {
  path: string;
  kind: 'pattern' | 'jsonPath';
  source: string;
}

export interface ExpressionFault {
  path: string;
  message: string;
}

/** Instructions of a compiled pattern. One of ordinary length has some tens; counted repetitions multiply. */
const MOST_INSTRUCTIONS = 10_000;

function patternFault(source: string): string | null {
  try {
    if (RE2JS.compile(source).programSize() <= MOST_INSTRUCTIONS) return null;
    return 'This regular expression is too large. Use fewer or smaller counted repetitions.';
  } catch {
    return 'Enter a regular expression in RE2 syntax.';
  }
}

function faultOf({ kind, source }: Expression): string | null {
  if (kind === 'pattern') return patternFault(source);
  const fault = jsonPathFault(source);
  return fault && `Enter a JSON path as in RFC 9535, such as $.status: ${fault}.`;
}

/** The expressions that do not compile, or that compile to more than a check may run. */
export function compileExpressions(expressions: Expression[]): ExpressionFault[] {
  return expressions.flatMap((expression) => {
    const message = faultOf(expression);
    return message === null ? [] : [{ path: expression.path, message }];
  });
}

/** As many as the schema allows. */
const MOST_ASSERTIONS = 30;

/** The expressions of an http config, also of one that no schema has seen yet. */
export function expressionsOf(config: object): Expression[] {
  const assertions = 'assertions' in config && Array.isArray(config.assertions) ? config.assertions : [];
  return assertions.slice(0, MOST_ASSERTIONS).flatMap((assertion: unknown, index) => {
    const { source, property, operator, value } = (assertion ?? {}) as Record<string, unknown>;
    const path = `config.assertions.${index}`;
    const found: Expression[] = [];
    if (source === 'json' && typeof property === 'string') {
      found.push({ path: `${path}.property`, kind: 'jsonPath', source: property });
    }
    if (operator === 'matches' && typeof value === 'string') {
      found.push({ path: `${path}.value`, kind: 'pattern', source: value });
    }
    return found;
  });
}
