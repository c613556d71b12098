import { handleStripeWebhook } from '@/server/api/stripe-webhook';
import { db } from '@/server/platform/db';
import { type Answer, type Person, rest } from '@/tests/support/rest';
import type { StripeEvent, Subscription } from '@/tests/support/stripe/stripe-state';
import { stripe } from '@/tests/support/stripe/with-stripe';

/** Posts a raw body to the webhook. */
export async function post(body: BodyInit, headers: Record<string, string> = {}): Promise<Answer> {
  const url = 'http://127.0.0.1:3000/api/stripe/webhook';
  const response = await handleStripeWebhook(new Request(url, { method: 'POST', body, headers }));
  return { status: response.status, body: await response.json(), headers: response.headers };
}

/** Delivers an event to the webhook. */
export function deliver(event: StripeEvent): Promise<Answer> {
  const { body, headers } = stripe.sign(event);
  return post(body, headers);
}

/** Does something at Stripe and returns the events it created. */
export function eventsOf(work: () => unknown): StripeEvent[] {
  const first = stripe.state.events.length;
  work();
  return stripe.state.events.slice(first);
}

export function checkout(person: Person, plan: unknown = 'pro'): Promise<Answer> {
  return rest('POST', '/dashboard/billing/checkout', { token: person.token, body: { plan } });
}

/** Pays the checkout at an address, and returns the events of the payment. */
export function pay(url: string): { subscription: Subscription; events: StripeEvent[] } {
  let subscription: Subscription | undefined;
  const events = eventsOf(() => {
    subscription = stripe.state.pay(url.split('/').at(-1) ?? '');
  });
  if (!subscription) throw new Error('Nothing was bought.');
  return { subscription, events };
}

/** Buys a plan and delivers every event. */
export async function buy(person: Person, plan = 'pro'): Promise<Subscription> {
  const { body } = await checkout(person, plan);
  const { subscription, events } = pay(body.url);
  for (const event of events) await deliver(event);
  return subscription;
}

export function teamOf({ teamId }: { teamId: string }) {
  return db.team.findUniqueOrThrow({ where: { id: teamId } });
}
