import { z } from 'zod';

/** The maximum number of assertions of a monitor. */
export const MOST_ASSERTIONS = 30;

const operators = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'matches',
  'notMatches',
  'lessThan',
  'greaterThan',
  'exists',
  'notExists',
] as const;

/**
 * A rule for the response. Whether its regular expression or JSON path compiles is decided by the server's `assertExpressions`, in a thread:
 * compiling can take seconds.
 */
export const HttpAssertion = z
  .strictObject({
    source: z.enum(['status', 'header', 'body', 'json', 'latency']),
    property: z.string().min(1).max(512).optional(),
    operator: z.enum(operators),
    value: z.union([z.string().max(8192), z.number(), z.boolean()]).optional(),
  })
  .superRefine(({ source, property, operator, value }, ctx) => {
    const issue = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message });
    const needsProperty = source === 'header' || source === 'json';
    if (needsProperty && property === undefined) issue('property', `A ${source} assertion names its property.`);
    if (!needsProperty && property !== undefined) issue('property', `A ${source} assertion takes no property.`);
    const presence = operator === 'exists' || operator === 'notExists';
    if (presence && (source === 'status' || source === 'latency')) issue('operator', `${source} is always there.`);
    if (presence && value !== undefined) issue('value', `${operator} takes no value.`);
    if (!presence && value === undefined) issue('value', `${operator} needs a value.`);
    const isPattern = operator === 'matches' || operator === 'notMatches';
    if (isPattern && value !== undefined && typeof value !== 'string') {
      issue('value', 'Enter the regular expression as text.');
    }
    const ordered = operator === 'lessThan' || operator === 'greaterThan';
    const numeric = ordered || ((source === 'status' || source === 'latency') && !presence && !isPattern);
    const textual = operator === 'contains' || operator === 'notContains';
    if (numeric && !textual && value !== undefined && !isNumeric(value)) issue('value', 'Enter a number.');
  });
export type HttpAssertion = z.infer<typeof HttpAssertion>;

function isNumeric(value: string | number | boolean): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
}
