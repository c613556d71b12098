import { describe, expect, it } from 'vitest';
import { handleStripeWebhook } from '@/server/api/stripe-webhook';
import { type Person, rest, signUp } from '@/tests/support/rest';

describe('instance without Stripe', () => {
  it('shows plan, usage and limits, and offers no checkout', async () => {
    const person: Person = await signUp();
    const { status, body: billing } = await rest('GET', '/dashboard/billing', { token: person.token });
    expect(status).toBe(200);
    expect(billing).toMatchObject({ plan: 'self_hosted', offers: [], limits: { monitors: null }, hasPortal: false });
    for (const [path, body] of [['checkout', { plan: 'pro' }], ['portal']] as const) {
      const answer = await rest('POST', `/dashboard/billing/${path}`, { token: person.token, ...(body && { body }) });
      expect(answer.status).toBe(404);
      expect(answer.body.error.message).toContain('Stripe is not configured');
    }
  });

  it('rejects events', async () => {
    const request = new Request('http://127.0.0.1/api/stripe/webhook', { method: 'POST', body: '{}' });
    expect((await handleStripeWebhook(request)).status).toBe(404);
  });
});
