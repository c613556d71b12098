import type { Expression } from '../definition';
import { MOST_ASSERTIONS } from './assertion';

/**
 * The expressions of the assertions of a config, or of a part of one, which may not be validated yet.
 * @param path the path of that part
 */
export function assertionExpressions(part: unknown, path: string): Expression[] {
  const { assertions } = (part ?? {}) as { assertions?: unknown };
  if (!Array.isArray(assertions)) return [];
  return assertions.slice(0, MOST_ASSERTIONS).flatMap((assertion: unknown, index) => {
    const { source, property, operator, value } = (assertion ?? {}) as Record<string, unknown>;
    const place = `${path}.assertions.${index}`;
    const found: Expression[] = [];
    if (source === 'json' && typeof property === 'string') {
      found.push({ path: `${place}.property`, kind: 'jsonPath', source: property });
    }
    if ((operator === 'matches' || operator === 'notMatches') && typeof value === 'string') {
      found.push({ path: `${place}.value`, kind: 'pattern', source: value });
    }
    return found;
  });
}
