import type Stripe from 'stripe';
import { recordAudit } from '@/server/audit/record-audit';
import { defaultPlan } from '@/server/plans/default-plan';
import { db, type Tx } from '@/server/platform/db';
import type { Team } from '@/server/platform/generated/prisma/client';
import { lockTeam } from '@/server/platform/locks';
import { log } from '@/server/platform/log';
import { planOf } from './prices';
import { askStripe, isMissing } from './stripe';

/** Subscriptions that are paid, or whose payment Stripe is retrying. */
const LIVE = new Set<Stripe.Subscription.Status>(['active', 'trialing', 'past_due']);
const TRIES = 5;

/**
 * Reads a customer's subscriptions; null if Stripe no longer knows the customer.
 * @throws AppError PAYMENT_PROVIDER_UNAVAILABLE
 */
async function readSubscriptions(customerId: string): Promise<Stripe.Subscription[] | null> {
  return askStripe(async ({ customers }) => {
    try {
      const customer = await customers.retrieve(customerId, { expand: ['subscriptions'] });
      return customer.deleted ? null : (customer.subscriptions?.data ?? []);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  });
}

/** Returns the live subscription with the highest plan, because two checkouts can be completed; null without one. */
function bestOf(subscriptions: Stripe.Subscription[]) {
  const paid = subscriptions.flatMap(({ id, status, items }) => {
    if (!LIVE.has(status)) return [];
    const plans = items.data.map(({ price }) => planOf(price.id));
    const plan = plans.includes('business') ? ('business' as const) : plans.find((each) => each !== null);
    if (!plan) log.warn({ subscription: id }, 'A subscription is for no price this instance sells');
    return plan ? [{ id, status, plan }] : [];
  });
  return paid.find(({ plan }) => plan === 'business') ?? paid[0] ?? null;
}

/**
 * Returns the update of the team's row. Without a live subscription, a team that had one gets the default plan, and one that had none keeps its plan.
 */
function nextState(team: Team, subscriptions: Stripe.Subscription[] | null) {
  const best = bestOf(subscriptions ?? []);
  if (best) return { plan: best.plan, stripeSubscriptionId: best.id, stripeStatus: best.status };
  const ended = team.stripeSubscriptionId ? 'canceled' : team.stripeStatus;
  return {
    plan: team.stripeSubscriptionId ? defaultPlan() : team.plan,
    stripeSubscriptionId: null,
    stripeStatus: subscriptions?.[0]?.status ?? ended,
    ...(subscriptions === null && { stripeCustomerId: null }),
  };
}

async function write(tx: Tx, team: Team, next: ReturnType<typeof nextState>): Promise<void> {
  const updated = await tx.team.update({
    where: { id: team.id },
    data: { ...next, billingRevision: { increment: 1 } },
  });
  if (updated.plan === team.plan && updated.stripeStatus === team.stripeStatus) return;
  const shown = ({ plan, stripeStatus, stripeSubscriptionId }: Team) => ({ plan, stripeStatus, stripeSubscriptionId });
  await recordAudit(tx, 'system', {
    teamId: team.id,
    action: 'billing.update',
    target: { type: 'team', id: team.id, name: team.name },
    before: shown(team),
    after: shown(updated),
  });
}

/**
 * Sets the team's plan by the customer's current state at Stripe. Applies a response only if no other one was applied since its request, so that
 * events in any order result in the newest state. Does nothing if the customer belongs to no team.
 * @param handled runs in the same transaction; if it returns false, the event was handled before and nothing is changed
 * @throws AppError PAYMENT_PROVIDER_UNAVAILABLE
 */
export async function applyCustomer(customerId: string, handled: (tx: Tx) => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const asked = await db.team.findUnique({ where: { stripeCustomerId: customerId } });
    const subscriptions = asked && (await readSubscriptions(customerId));
    const done = await db.$transaction(async (tx) => {
      if (asked) await lockTeam(tx, asked.id);
      const team = await tx.team.findUnique({ where: { stripeCustomerId: customerId } });
      if (team?.billingRevision !== asked?.billingRevision) return false;
      if ((await handled(tx)) && team) await write(tx, team, nextState(team, subscriptions));
      return true;
    });
    if (done) return;
  }
  throw new Error(`The state of customer ${customerId} kept changing while it was read.`);
}
