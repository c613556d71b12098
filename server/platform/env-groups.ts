import type { Variables } from './env';

type Name = keyof Variables;

/** Variables that are set together or not at all. Any of `because` asks for all of `needed`. */
interface Group {
  because: readonly Name[];
  needed: (values: Variables) => readonly Name[];
}

export const UPSTASH: Group = {
  because: ['UPSTASH_REDIS_REST_URL', 'UPSTASH_REDIS_REST_TOKEN'],
  needed: () => ['UPSTASH_REDIS_REST_URL', 'UPSTASH_REDIS_REST_TOKEN'],
};

/** The AWS keys alone configure nothing: many machines carry them for other programs. */
export const S3: Group = {
  because: ['S3_BUCKET', 'S3_ENDPOINT', 'S3_REGION'],
  // A service of one's own seldom has regions, but a signature names one.
  needed: ({ S3_ENDPOINT }) => [
    'S3_BUCKET',
    ...(S3_ENDPOINT ? [] : (['S3_REGION'] as const)),
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
  ],
};

export const STRIPE: Group = {
  because: [
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'STRIPE_PRICE_PRO',
    'STRIPE_PRICE_BUSINESS',
    'STRIPE_API_BASE',
  ],
  needed: () => ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_PRO', 'STRIPE_PRICE_BUSINESS'],
};

/** The first of a group's variables that is set; undefined where none is. */
const reasonOf = (values: Variables, { because }: Group) => because.find((name) => values[name] !== undefined);

/** Whether anything of a group is set. */
export const isConfigured = (values: Variables, group: Group) => reasonOf(values, group) !== undefined;

/** What is missing of the groups of which something is set. */
export function missing(values: Variables): string[] {
  return [UPSTASH, S3, STRIPE].flatMap((group) => {
    const because = reasonOf(values, group);
    if (because === undefined) return [];
    return group
      .needed(values)
      .filter((name) => values[name] === undefined)
      .map((name) => `${name} must be set too, because ${because} is.`);
  });
}
