import '@/tests/support/stripe/with-stripe';
import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { handleStripeWebhook } from '@/server/api/stripe-webhook';
import { db } from '@/server/platform/db';
import { httpMonitor, rest, signUp } from '@/tests/support/rest';
import { stripe } from '@/tests/support/stripe/with-stripe';
import { buy, checkout, deliver, eventsOf, post, teamOf } from './support';

afterEach(() => stripe.fail(null));

async function customer() {
  const person = await signUp();
  const subscription = await buy(person);
  return { person, subscription };
}

describe('Stripe event', () => {
  it('changes the plan, up and down', async () => {
    const { person, subscription } = await customer();
    const change = (to: { price?: string; status?: string }) => deliver(stripe.state.change(subscription.id, to));
    await change({ price: 'price_business' });
    expect(await teamOf(person)).toMatchObject({ plan: 'business', stripeStatus: 'active' });
    await change({ status: 'past_due' });
    expect(await teamOf(person)).toMatchObject({ plan: 'business', stripeStatus: 'past_due' });
    await change({ status: 'unpaid' });
    expect(await teamOf(person)).toMatchObject({ plan: 'free', stripeStatus: 'unpaid', stripeSubscriptionId: null });
    await change({ status: 'active' });
    expect(await teamOf(person)).toMatchObject({ plan: 'business', stripeSubscriptionId: subscription.id });
    for (const event of eventsOf(() => stripe.state.cancel(subscription.id))) await deliver(event);
    expect(await teamOf(person)).toMatchObject({ plan: 'free', stripeStatus: 'canceled', stripeSubscriptionId: null });
  });

  it('is handled once', async () => {
    const { person, subscription } = await customer();
    const event = stripe.state.change(subscription.id, { price: 'price_business' });
    const answers = await Promise.all(Array.from({ length: 6 }, () => deliver(event)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await db.stripeEvent.count({ where: { id: event.id } })).toBe(1);
    const entries = await db.auditEntry.findMany({ where: { teamId: person.teamId, action: 'billing.update' } });
    expect(entries).toHaveLength(2);
    const asked = stripe.requests.length;
    expect((await deliver(event)).status).toBe(200);
    expect(stripe.requests).toHaveLength(asked);
  });

  it('does not undo a newer event if it arrives late', async () => {
    const { person, subscription } = await customer();
    const older = stripe.state.change(subscription.id, { price: 'price_business' });
    const newer = eventsOf(() => stripe.state.cancel(subscription.id));
    for (const event of newer) await deliver(event);
    expect((await teamOf(person)).plan).toBe('free');
    expect((await deliver(older)).status).toBe(200);
    expect(await teamOf(person)).toMatchObject({ plan: 'free', stripeStatus: 'canceled' });
  });

  it("is read again if Stripe's response is outdated", async () => {
    const { person, subscription } = await customer();
    const older = stripe.state.change(subscription.id, { price: 'price_business' });
    const { arrived, release } = stripe.hold(/^\/v1\/customers\/\w+$/);
    const late = deliver(older);
    await arrived;
    for (const event of eventsOf(() => stripe.state.cancel(subscription.id))) await deliver(event);
    expect((await teamOf(person)).plan).toBe('free');
    release();
    expect((await late).status).toBe(200);
    expect(await teamOf(person)).toMatchObject({ plan: 'free', stripeStatus: 'canceled' });
    expect(await db.stripeEvent.count({ where: { id: older.id } })).toBe(1);
  });

  it('is read again and handled later if it arrives during a Stripe outage', async () => {
    const { person, subscription } = await customer();
    const event = stripe.state.change(subscription.id, { price: 'price_business' });
    stripe.fail('closed');
    const { status, body } = await deliver(event);
    expect(status).toBe(503);
    expect(body.error.code).toBe('PAYMENT_PROVIDER_UNAVAILABLE');
    expect((await teamOf(person)).plan).toBe('pro');
    stripe.fail(null);
    expect((await deliver(event)).status).toBe(200);
    expect((await teamOf(person)).plan).toBe('business');
  });

  it('changes nothing and is answered 200 if it concerns another customer, kind or price', async () => {
    const { person, subscription } = await customer();
    const before = await teamOf(person);
    const foreign = { ...subscription, customer: 'cus_someone_else' };
    const events = [
      stripe.state.emit('customer.subscription.updated', foreign),
      stripe.state.emit('charge.succeeded', { id: 'ch_1', customer: subscription.customer }),
      stripe.state.emit('some.future.event', {}),
      stripe.state.emit('customer.subscription.updated', subscription),
    ];
    for (const event of events) expect((await deliver(event)).status).toBe(200);
    const { billingRevision: _revision, updatedAt: _at, ...after } = await teamOf(person);
    expect(before).toMatchObject(after);
    await deliver(stripe.state.change(subscription.id, { price: 'price_of_something_else' }));
    expect((await teamOf(person)).plan).toBe('free');
  });

  it('ends the plan if the customer is deleted; a later checkout creates a new customer', async () => {
    const { person, subscription } = await customer();
    for (const event of eventsOf(() => stripe.state.deleteCustomer(subscription.customer))) await deliver(event);
    expect(await teamOf(person)).toMatchObject({ plan: 'free', stripeCustomerId: null, stripeSubscriptionId: null });
    await buy(person, 'business');
    const team = await teamOf(person);
    expect(team.plan).toBe('business');
    expect(team.stripeCustomerId).not.toBe(subscription.customer);
  });

  it('keeps a plan that was assigned by hand', async () => {
    const person = await signUp();
    await db.team.update({ where: { id: person.teamId }, data: { plan: 'business' } });
    await checkout(person);
    const { stripeCustomerId } = await teamOf(person);
    await deliver(stripe.state.emit('invoice.payment_failed', { id: 'in_1', customer: stripeCustomerId }));
    expect((await teamOf(person)).plan).toBe('business');
  });
});

describe('downgraded plan', () => {
  it('keeps existing resources, and rejects new ones', async () => {
    const { person, subscription } = await customer();
    const create = (index: number) =>
      rest('POST', '/dashboard/monitors', { token: person.token, body: httpMonitor({ name: `Monitor ${index}` }) });
    for (let index = 0; index < 21; index += 1) expect((await create(index)).status).toBe(201);
    for (const event of eventsOf(() => stripe.state.cancel(subscription.id))) await deliver(event);
    expect(await db.monitor.count({ where: { teamId: person.teamId } })).toBe(21);
    expect((await create(22)).body.error.code).toBe('PLAN_LIMIT_REACHED');
    const { body } = await rest('GET', '/dashboard/billing', { token: person.token });
    expect(body).toMatchObject({ plan: 'free', usage: { monitors: 21 }, limits: { monitors: 20 } });
  });
});

describe('forged Stripe event', () => {
  const event = () => stripe.state.emit('customer.subscription.updated', { id: 'sub_1', customer: 'cus_1' });

  it.each([
    ['another secret', () => stripe.sign(event(), { secret: 'whsec_another' })],
    ['no signature', () => ({ ...stripe.sign(event()), headers: {} })],
    ['a malformed signature', () => ({ ...stripe.sign(event()), headers: { 'stripe-signature': 'v1=00' } })],
    ['another body', () => ({ ...stripe.sign(event()), body: '{"id":"evt_1"}' })],
    ['a changed byte', () => ({ ...stripe.sign(event()), body: `${stripe.sign(event()).body} ` })],
    ['a signature that is ten minutes old', () => stripe.sign(event(), { at: Math.floor(Date.now() / 1000) - 600 })],
  ])('is rejected with %s', async (_what, make) => {
    const { body, headers } = make();
    const events = await db.stripeEvent.count();
    const answer = await post(body, headers as Record<string, string>);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      error: { code: 'VALIDATION_ERROR', message: expect.any(String), status: 400, issues: [] },
    });
    expect(await db.stripeEvent.count()).toBe(events);
  });

  it('is rejected over 1 MiB, and with any other method', async () => {
    expect((await post('x'.repeat(1024 * 1024 + 1))).body.error.code).toBe('PAYLOAD_TOO_LARGE');
    const answer = await handleStripeWebhook(new Request('http://127.0.0.1/api/stripe/webhook'));
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
  });

  it.each([
    'not json',
    'null',
    '[]',
    '{}',
    '{"id":"evt_1","type":"customer.subscription.updated"}',
    '{"id":"evt_1","type":"customer.subscription.updated","data":{"object":null}}',
    '{"type":"customer.subscription.updated","data":{"object":{"customer":"cus_1"}}}',
    '{"id":"evt_\\u0000","type":"customer.subscription.updated","data":{"object":{"customer":"cus_1"}}}',
  ])('is rejected if the signed text is not an event: %s', async (text) => {
    const at = Math.floor(Date.now() / 1000);
    const v1 = createHmac('sha256', 'whsec_upwatch_test').update(`${at}.${text}`).digest('hex');
    expect((await post(text, { 'stripe-signature': `t=${at},v1=${v1}` })).status).toBe(400);
  });
});
