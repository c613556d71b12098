import '@/tests/support/stripe/with-stripe';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { httpMonitor, makeKey, type Person, rest, signUp } from '@/tests/support/rest';
import { stripe } from '@/tests/support/stripe/with-stripe';
import { buy, checkout, deliver, pay, teamOf } from './support';

let person: Person;
beforeAll(async () => {
  person = await signUp();
});
afterEach(() => stripe.fail(null));

const portal = (token: string) => rest('POST', '/dashboard/billing/portal', { token });
const billing = async (token: string) => (await rest('GET', '/dashboard/billing', { token })).body;

/** Another member of the same team. */
async function colleague(role: 'admin' | 'member' | 'viewer', { teamId }: Person): Promise<Person> {
  const other = await signUp();
  await db.membership.create({ data: { teamId, userId: other.userId, role } });
  const { body } = await rest('POST', '/dashboard/me/team', { token: other.token, body: { teamId } });
  return { ...other, token: body.accessToken };
}

describe('reading the plan', () => {
  it('returns usage and limits', async () => {
    const fresh = await signUp();
    await rest('POST', '/dashboard/monitors', { token: fresh.token, body: httpMonitor() });
    await makeKey(fresh);
    const open = { teamId: fresh.teamId, role: 'member' as const, expiresAt: new Date(Date.now() + 60_000) };
    await db.invitation.createMany({
      data: [
        { ...open, id: `${fresh.teamId}-1`, email: 'a@example.test', tokenHash: `${fresh.teamId}-1` },
        {
          ...open,
          id: `${fresh.teamId}-2`,
          email: 'b@example.test',
          tokenHash: `${fresh.teamId}-2`,
          revokedAt: new Date(),
        },
      ],
    });
    expect(await billing(fresh.token)).toEqual({
      plan: 'free',
      usage: { monitors: 1, members: 2, statusPages: 0, apiKeys: 1, schedules: 0, escalationPolicies: 0 },
      limits: {
        monitors: 20,
        minIntervalSeconds: 60,
        members: 3,
        statusPages: 1,
        apiKeys: 2,
        historyDays: 30,
        schedules: 1,
        escalationPolicies: 1,
        pageComponents: 5,
      },
      offers: [
        { plan: 'pro', limits: expect.objectContaining({ monitors: 200 }) },
        { plan: 'business', limits: expect.objectContaining({ monitors: 2000 }) },
      ],
      subscriptionStatus: null,
      subscribed: false,
      hasPortal: false,
    });
  });

  it('allows viewers, and no API key', async () => {
    const viewer = await colleague('viewer', person);
    expect((await rest('GET', '/dashboard/billing', { token: viewer.token })).status).toBe(200);
    const key = await makeKey(person);
    expect((await rest('GET', '/dashboard/billing', { token: key })).status).toBe(401);
    expect((await rest('GET', '/dashboard/billing')).status).toBe(401);
  });
});

describe('buying a plan', () => {
  it('redirects to Stripe, and changes the plan when Stripe reports the payment', async () => {
    const buyer = await signUp();
    const { status, body } = await checkout(buyer, 'business');
    expect(status).toBe(200);
    expect(body.url).toContain(`${stripe.url}/pay/`);
    expect(await billing(buyer.token)).toMatchObject({ plan: 'free', subscribed: false, hasPortal: true });
    const session = stripe.state.checkouts.get(body.url.split('/').at(-1));
    expect(session).toMatchObject({ price: 'price_business', metadata: { teamId: buyer.teamId } });
    expect(session?.success_url).toMatch(/\/settings\/billing\?checkout=done$/);

    const subscription = await buy(buyer, 'business');
    expect(await teamOf(buyer)).toMatchObject({
      plan: 'business',
      stripeSubscriptionId: subscription.id,
      stripeCustomerId: subscription.customer,
      stripeStatus: 'active',
    });
    expect(await billing(buyer.token)).toMatchObject({
      plan: 'business',
      subscriptionStatus: 'active',
      subscribed: true,
      limits: { monitors: 2000 },
    });
    const entries = await db.auditEntry.findMany({
      where: { teamId: buyer.teamId, action: { startsWith: 'billing.' } },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ action, actorKind }) => [action, actorKind])).toEqual([
      ['billing.checkout', 'user'],
      ['billing.checkout', 'user'],
      ['billing.update', 'system'],
    ]);
    expect(entries.at(-1)).toMatchObject({
      before: { plan: 'free' },
      after: { plan: 'business', stripeStatus: 'active' },
    });
  });

  it('creates one customer per team, however many requests run at once', async () => {
    const buyer = await signUp();
    const before = stripe.state.customers.size;
    const answers = await Promise.all(Array.from({ length: 5 }, () => checkout(buyer)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(stripe.state.customers.size).toBe(before + 1);
    expect([...stripe.state.checkouts.values()].slice(-5).map(({ customer }) => customer)).toEqual(
      Array(5).fill((await teamOf(buyer)).stripeCustomerId),
    );
  });

  it('sends an idempotency key with everything it creates', async () => {
    await checkout(await signUp());
    const made = stripe.requests.filter(({ method }) => method === 'POST');
    expect(made.length).toBeGreaterThan(1);
    expect(made.filter(({ idempotencyKey }) => !idempotencyKey)).toEqual([]);
  });

  it('is rejected for a team with a subscription', async () => {
    const buyer = await signUp();
    await buy(buyer);
    const { status, body } = await checkout(buyer, 'business');
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: 'plan' }] });
  });

  it('applies the higher plan if two checkouts were paid', async () => {
    const buyer = await signUp();
    const [one, two] = await Promise.all([checkout(buyer, 'business'), checkout(buyer, 'pro')]);
    for (const { body } of [one, two]) for (const event of pay(body.url).events) await deliver(event);
    expect(await teamOf(buyer)).toMatchObject({ plan: 'business', stripeStatus: 'active' });
  });

  it.each([['free'], ['self_hosted'], ['gold'], [null], [undefined], [1]])('rejects the plan %j', async (plan) => {
    const { status, body } = await rest('POST', '/dashboard/billing/checkout', { token: person.token, body: { plan } });
    expect(status).toBe(400);
    expect(body.error.code).toBe('VALIDATION_ERROR');
  });

  it('allows signed-in owners and admins, and no API key', async () => {
    for (const role of ['member', 'viewer'] as const) {
      const weaker = await colleague(role, person);
      expect((await checkout(weaker)).body.error.code).toBe('FORBIDDEN');
      expect((await portal(weaker.token)).body.error.code).toBe('FORBIDDEN');
    }
    expect((await checkout(await colleague('admin', person))).status).toBe(200);
    const key = await makeKey(person);
    expect((await checkout({ ...person, token: key })).body.error.code).toBe('UNAUTHENTICATED');
  });

  it.each(['closed', 'broken'] as const)('reports that Stripe is %s, and leaves nothing behind', async (outage) => {
    const buyer = await signUp();
    stripe.fail(outage);
    const { status, body, headers } = await checkout(buyer);
    expect(status).toBe(503);
    expect(body.error.code).toBe('PAYMENT_PROVIDER_UNAVAILABLE');
    expect(body.error.message).not.toMatch(/127\.0\.0\.1|sk_test/);
    expect(headers.get('retry-after')).toBe('60');
    expect((await teamOf(buyer)).stripeCustomerId).toBeNull();
    expect(await db.auditEntry.count({ where: { teamId: buyer.teamId, action: 'billing.checkout' } })).toBe(0);
    stripe.fail(null);
    expect((await checkout(buyer)).status).toBe(200);
  });
});

describe('billing portal', () => {
  it('opens for a team that has bought something', async () => {
    const buyer = await signUp();
    expect((await portal(buyer.token)).body.error.code).toBe('NOT_FOUND');
    await buy(buyer);
    const { status, body } = await portal(buyer.token);
    expect(status).toBe(200);
    const session = stripe.state.portals.get(body.url.split('/').at(-1));
    expect(session).toMatchObject({ customer: (await teamOf(buyer)).stripeCustomerId });
    expect(session?.return_url).toMatch(/\/settings\/billing$/);
  });

  it('reports a Stripe outage', async () => {
    const buyer = await signUp();
    await buy(buyer);
    stripe.fail('broken');
    expect((await portal(buyer.token)).status).toBe(503);
  });
});
