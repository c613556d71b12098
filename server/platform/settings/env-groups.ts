import type { Variables } from './env-variables';

type Name = keyof Variables;

/** Variables that are set together or not at all: if any of `because` is set, all of `needed` are required. */
interface Group {
  because: readonly Name[];
  needed: (values: Variables) => readonly Name[];
}

export const UPSTASH: Group = {
  because: ['UPSTASH_REDIS_REST_URL', 'UPSTASH_REDIS_REST_TOKEN'],
  needed: () => ['UPSTASH_REDIS_REST_URL', 'UPSTASH_REDIS_REST_TOKEN'],
};

/** The AWS keys do not configure anything without a bucket, because many machines have them for other programs. */
export const S3: Group = {
  because: ['S3_BUCKET', 'S3_ENDPOINT', 'S3_REGION'],
  // Self-hosted services rarely have regions, but a signature requires one.
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

/** Returns the first variable of a group that is set; undefined without one. */
const reasonOf = (values: Variables, { because }: Group) => because.find((name) => values[name] !== undefined);

/** Whether any variable of a group is set. */
export const isConfigured = (values: Variables, group: Group) => reasonOf(values, group) !== undefined;

/** Returns a message for each variable that is missing although others of its group are set. */
export function notesOnMissing(values: Variables): string[] {
  return [UPSTASH, S3, STRIPE].flatMap((group) => {
    const because = reasonOf(values, group);
    if (because === undefined) return [];
    return group
      .needed(values)
      .filter((name) => values[name] === undefined)
      .map((name) => `${name} must be set too, because ${because} is.`);
  });
}
