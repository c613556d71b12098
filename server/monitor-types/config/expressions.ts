import { RE2JS } from 're2js';
import type { Expression } from '../definition';
import { definitionOf, monitorTypes } from '../definitions';
import { isCron, isTimezone, runsOften } from '../heartbeat/cron';
import { jsonPathFault } from '../http/compile-json-path';

export interface ExpressionFault {
  path: string;
  message: string;
}

/** The maximum number of instructions of a compiled pattern. An ordinary one has tens; counted repetitions multiply them. */
const MOST_INSTRUCTIONS = 10_000;

function patternFault(source: string): string | null {
  try {
    if (RE2JS.compile(source).programSize() <= MOST_INSTRUCTIONS) return null;
    return 'This regular expression is too large. Use fewer or smaller counted repetitions.';
  } catch {
    return 'Enter a regular expression in RE2 syntax.';
  }
}

/** The error for a cron schedule like 30 February. */
const TOO_RARE = 'This schedule never runs, or less than once in eight years.';

function faultOf({ kind, source, timezone = 'UTC' }: Expression): string | null {
  switch (kind) {
    case 'pattern':
      return patternFault(source);
    case 'jsonPath': {
      const fault = jsonPathFault(source);
      return fault && `Enter a JSONPath (RFC 9535) such as $.status: ${fault}.`;
    }
    case 'cron':
      // The schema rejects invalid schedules and zones.
      return !isCron(source) || !isTimezone(timezone) || runsOften(source, timezone, new Date()) ? null : TOO_RARE;
    default:
      return kind satisfies never;
  }
}

/** Compiles expressions, and returns an error for each one that does not compile or is too large to run in a check. */
export function compileExpressions(expressions: Expression[]): ExpressionFault[] {
  return expressions.flatMap((expression) => {
    const message = faultOf(expression);
    return message === null ? [] : [{ path: expression.path, message }];
  });
}

/** Returns the expressions of a config of any type, which may not be validated yet. */
export function expressionsOf(config: object): Expression[] {
  return monitorTypes.flatMap((type) => definitionOf(type).expressions?.(config) ?? []);
}
