import '@/tests/support/stripe/with-stripe';
import '@/tests/support/providers/with-providers';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cleanUpJob } from '@/server/admin/clean-up';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { type RunningJobs, startJobs } from '@/server/platform/jobs';
import { kv } from '@/server/platform/kv';
import { UpstashKeyValue } from '@/server/platform/kv/upstash';
import { storage } from '@/server/platform/storage';
import { S3Storage } from '@/server/platform/storage/s3';
import { rateLimitKey } from '@/server/trpc/rate-limit';
import { redisLine, s3Line } from '@/tests/support/providers/with-providers';
import { until } from '@/tests/support/receivers';
import { type Person, rest, signUp } from '@/tests/support/rest';
import type { Subscription } from '@/tests/support/stripe/stripe-state';
import { stripe } from '@/tests/support/stripe/with-stripe';
import { buy, deliver, eventsOf } from '../billing/support';
import { entryOf, forceDelete, personWithEverything, runJobsNow, stepsOf } from './support';

let admin: Person;
let robin: Awaited<ReturnType<typeof personWithEverything>>;
let subscription: Subscription;
let rateKey: string;
let running: RunningJobs | null = null;

beforeAll(async () => {
  admin = await signUp('Ada');
});

beforeEach(async () => {
  robin = await personWithEverything();
  subscription = await buy(robin);
  rateKey = rateLimitKey('user', robin.userId);
  await lookIntoRedis().set(rateKey, '7');
});

afterEach(async () => {
  stripe.fail(null);
  redisLine.set('up');
  s3Line.set('up');
  await running?.stop();
  running = null;
  await db.$executeRaw`delete from graphile_worker._private_jobs`;
});

/** A separate client, because the product's does not retry a store that failed a moment ago. */
function lookIntoRedis(): UpstashKeyValue {
  if (!env.upstash) throw new Error('There is no Redis.');
  return new UpstashKeyValue(env.upstash);
}

const isSubscribed = () => stripe.state.readSubscription(subscription.id).status === 'active';
const hasCustomer = () => !stripe.state.readCustomer(subscription.customer).deleted;
const isCounted = async () => (await lookIntoRedis().get(rateKey)) !== null;
const countObjects = async () => {
  const found = await Promise.all([storage.get(robin.logoKey), storage.get(robin.evidence)]);
  return found.filter((object) => object !== null).length;
};
const hasAccount = async () => (await db.user.count({ where: { id: robin.userId } })) > 0;

/** Runs the jobs that are due, as a worker does. */
async function runJobs(): Promise<void> {
  await runJobsNow();
  running = await startJobs({ jobs: [cleanUpJob], concurrency: 2 });
}

const statuses = async () =>
  Object.fromEntries(Object.entries(await stepsOf(robin.userId)).map(([name, { status }]) => [name, status]));

it('removes subscription, customer, audit entries and objects before it answers', async () => {
  expect(kv).toBeInstanceOf(UpstashKeyValue);
  expect(storage).toBeInstanceOf(S3Storage);
  expect([isSubscribed(), hasCustomer(), await isCounted(), await countObjects()]).toEqual([true, true, true, 2]);
  const { body } = await forceDelete(admin, robin.userId);
  expect(body).toEqual({ message: `${robin.email} and one team deleted.` });
  expect([isSubscribed(), hasCustomer(), await isCounted(), await countObjects()]).toEqual([false, false, false, 0]);
  expect(await statuses()).toEqual({ stripe: 'done', keyValue: 'done', objects: 'done' });
  expect((await entryOf(robin.userId)).after).toMatchObject({ removed: { teams: [{ billing: true }] } });
});

it('ignores the events that its own cancellation causes', async () => {
  const first = stripe.state.events.length;
  await forceDelete(admin, robin.userId);
  const caused = stripe.state.events.slice(first);
  expect(caused.map(({ type }) => type)).toEqual(['customer.subscription.deleted', 'customer.deleted']);
  for (const event of caused) expect((await deliver(event)).status).toBe(200);
});

it('succeeds if Stripe no longer has the customer', async () => {
  eventsOf(() => stripe.state.deleteCustomer(subscription.customer));
  await forceDelete(admin, robin.userId);
  expect(await statuses()).toEqual({ stripe: 'done', keyValue: 'done', objects: 'done' });
});

describe('deleting an account during a provider outage', () => {
  const outages = [
    {
      step: 'stripe',
      what: 'the Stripe subscription',
      begin: () => stripe.fail('closed'),
      end: () => stripe.fail(null),
      isLeft: async () => isSubscribed() && hasCustomer(),
    },
    {
      step: 'keyValue',
      what: 'key-value entries',
      begin: () => redisLine.set('cut'),
      end: () => redisLine.set('up'),
      isLeft: isCounted,
    },
    {
      step: 'objects',
      what: 'stored objects',
      begin: () => s3Line.set('cut'),
      end: () => s3Line.set('up'),
      isLeft: async () => (await countObjects()) > 0,
    },
  ];

  it.each(outages)(
    'deletes the account at once and completes the rest later: $step',
    async ({ step, what, begin, end, isLeft }) => {
      begin();
      const { status, body } = await forceDelete(admin, robin.userId);
      expect(status).toBe(200);
      expect(body.message).toBe(`${robin.email} and one team deleted. Still being removed: ${what}.`);
      expect(await hasAccount()).toBe(false);
      expect((await rest('GET', '/dashboard/me', { token: robin.token })).status).toBe(401);
      const others = { stripe: 'done', keyValue: 'done', objects: 'done' };
      await until(async () => (await stepsOf(robin.userId))[step]?.error !== undefined, 14_000);
      expect(await statuses()).toEqual({ ...others, [step]: 'pending' });
      expect((await stepsOf(robin.userId))[step]?.attempts).toBe(1);

      // A worker that runs during the outage tries, fails, and keeps the job.
      await runJobs();
      await until(async () => ((await stepsOf(robin.userId))[step]?.attempts ?? 0) > 1, 14_000);
      end();
      await until(async () => (await stepsOf(robin.userId))[step]?.status === 'done', 20_000);
      expect(await isLeft()).toBe(false);
      expect((await stepsOf(robin.userId))[step]).not.toHaveProperty('error');
      await until(async () => {
        const [row] = await db.$queryRaw<{ count: number }[]>`select count(*)::int as count from graphile_worker.jobs`;
        return row?.count === 0;
      });
    },
    60_000,
  );

  it('answers within seconds if all three providers hang', async () => {
    stripe.fail('silent');
    redisLine.set('dead');
    s3Line.set('dead');
    const started = Date.now();
    const { status, body } = await forceDelete(admin, robin.userId);
    expect(status).toBe(200);
    expect(Date.now() - started).toBeLessThan(12_000);
    expect(body.message).toMatch(/Still being removed: key-value entries, the Stripe subscription, stored objects\.$/);
    expect(await hasAccount()).toBe(false);
    stripe.fail(null);
    redisLine.set('up');
    s3Line.set('up');
    await runJobs();
    await until(async () => !isSubscribed() && !(await isCounted()) && (await countObjects()) === 0, 20_000);
    await until(async () => Object.values(await statuses()).every((each) => each === 'done'), 20_000);
  }, 90_000);
});
