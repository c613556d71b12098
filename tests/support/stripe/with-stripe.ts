import { afterAll } from 'vitest';
import { startStripe, stripeKeys } from './stripe';

/** Imported before any server code, it replaces Stripe in a test file. */
export const stripe = await startStripe();

Object.assign(process.env, {
  STRIPE_API_BASE: stripe.url,
  STRIPE_SECRET_KEY: stripeKeys.secretKey,
  STRIPE_WEBHOOK_SECRET: stripeKeys.webhookSecret,
  STRIPE_PRICE_PRO: stripeKeys.pricePro,
  STRIPE_PRICE_BUSINESS: stripeKeys.priceBusiness,
});

afterAll(() => stripe.close());
