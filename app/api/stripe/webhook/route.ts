import { handleStripeWebhook } from '@/server/api/stripe-webhook';

export const dynamic = 'force-dynamic';

export {
  handleStripeWebhook as DELETE,
  handleStripeWebhook as GET,
  handleStripeWebhook as HEAD,
  handleStripeWebhook as OPTIONS,
  handleStripeWebhook as PATCH,
  handleStripeWebhook as POST,
  handleStripeWebhook as PUT,
};
