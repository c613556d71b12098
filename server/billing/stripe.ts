import type Stripe from 'stripe';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { log } from '@/server/platform/log';

const TIMEOUT_MS = 8_000;

type Settings = NonNullable<typeof env.stripe>;

async function connect({ secretKey, apiBase }: Settings): Promise<Stripe> {
  const { Stripe } = await sdk();
  const base = apiBase ? new URL(apiBase) : null;
  return new Stripe(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(base && {
      host: base.hostname,
      port: base.port || (base.protocol === 'http:' ? 80 : 443),
      protocol: base.protocol === 'http:' ? 'http' : 'https',
    }),
  });
}

/** Loads Stripe's library on first use, because it is large, and most instances have no billing. */
const sdk = () => import('stripe');

let client: Promise<Stripe> | null = null;

/**
 * Returns the instance's Stripe settings.
 * @throws AppError NOT_FOUND without billing
 */
export function stripeSettings(): Settings {
  if (!env.stripe) throw new AppError('NOT_FOUND', 'Billing is not available because Stripe is not configured.');
  return env.stripe;
}

/**
 * Returns the Stripe client, created on first use.
 * @throws AppError NOT_FOUND without billing
 */
export function stripeClient(): Promise<Stripe> {
  client ??= connect(stripeSettings());
  return client;
}

/** Whether an error is a Stripe error of these types (`error.type`), without loading the library. */
export function isStripeError(error: unknown, ...types: string[]): boolean {
  return error instanceof Error && 'type' in error && types.includes(String(error.type));
}

/** Whether the error means that the object does not exist at Stripe. */
export function isMissing(error: unknown): boolean {
  return (
    isStripeError(error, 'StripeInvalidRequestError') &&
    (error as Stripe.errors.StripeInvalidRequestError).code === 'resource_missing'
  );
}

function isPassing(error: unknown): error is Error {
  return isStripeError(error, 'StripeAPIError', 'StripeConnectionError', 'StripeRateLimitError');
}

/**
 * Calls Stripe. Must not be called in a transaction.
 * @throws AppError PAYMENT_PROVIDER_UNAVAILABLE if Stripe cannot be reached or fails, NOT_FOUND without billing; Stripe's own error if it rejects the
 * request
 */
export async function askStripe<T>(ask: (stripe: Stripe) => Promise<T>): Promise<T> {
  try {
    return await ask(await stripeClient());
  } catch (error) {
    if (!isPassing(error)) throw error;
    log.warn({ err: error }, 'Stripe did not answer');
    const message = 'Could not reach the payment provider. Try again in a minute.';
    throw new AppError('PAYMENT_PROVIDER_UNAVAILABLE', message, { cause: error, retryAfterSeconds: 60 });
  }
}
