import { handleStripeEvent } from '@/server/billing/handle-stripe-event';
import { AppError } from '@/server/platform/errors';
import { requestIdOf } from '@/server/platform/ids';
import { log } from '@/server/platform/log';
import { logFailure, setErrorHeaders, toAppError, toEnvelope } from '@/server/trpc/error-table';
import { MAX_BODY_BYTES, readCapped } from './rest/read-input';

async function take(request: Request): Promise<void> {
  if (request.method !== 'POST') throw new AppError('METHOD_NOT_ALLOWED', 'This URL accepts POST.');
  const payload = Buffer.from(await readCapped(request, MAX_BODY_BYTES));
  await handleStripeEvent(payload, request.headers.get('stripe-signature') ?? '');
}

/** Answers `/api/stripe/webhook`: 200 for an event that was handled or is irrelevant, else the error envelope. Never throws. */
export async function handleStripeWebhook(request: Request): Promise<Response> {
  const requestId = requestIdOf(request.headers.get('x-request-id'));
  const headers = new Headers({ 'cache-control': 'no-store', 'x-request-id': requestId });
  try {
    await take(request);
    return Response.json({ received: true }, { headers });
  } catch (thrown) {
    const error = toAppError(thrown);
    logFailure(log, error, { requestId }, 'An event of Stripe could not be handled');
    if (error.code === 'METHOD_NOT_ALLOWED') headers.set('allow', 'POST');
    setErrorHeaders(error, headers);
    const envelope = toEnvelope(error);
    return Response.json({ error: envelope }, { status: envelope.status, headers });
  }
}
