import type { StripeState } from './stripe-state';

interface Page {
  status: number;
  headers: Record<string, string>;
  body: string;
}

interface Prices {
  pricePro: string;
  priceBusiness: string;
}

const html = (body: string, status = 200): Page => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html lang="en"><title>Stripe stand-in</title>${body}`,
});
const redirect = (location: string): Page => ({ status: 303, headers: { location }, body: '' });
const button = (value: string, words: string) =>
  `<form method="post"><button name="do" value="${value}">${words}</button></form>`;

function payPage(state: StripeState, method: string, id: string): Page {
  const checkout = state.checkouts.get(id);
  if (!checkout) return html('<p>No such checkout.</p>', 404);
  if (method === 'POST') {
    state.pay(id);
    return redirect(checkout.success_url);
  }
  const back = `<p><a href="${checkout.cancel_url}">Back</a></p>`;
  return html(`<h1>Pay for ${checkout.price}</h1>${button('pay', 'Pay')}${back}`);
}

function portalPage(state: StripeState, prices: Prices, method: string, id: string, body: string): Page {
  const portal = state.portals.get(id);
  if (!portal) return html('<p>No such portal.</p>', 404);
  const subscription = state.running(portal.customer)[0];
  if (method === 'POST' && subscription) {
    const action = new URLSearchParams(body).get('do');
    if (action === 'cancel') state.cancel(subscription.id);
    else state.change(subscription.id, { price: action === 'business' ? prices.priceBusiness : prices.pricePro });
    return redirect(portal.return_url);
  }
  const buttons =
    button('pro', 'Change to pro') + button('business', 'Change to business') + button('cancel', 'Cancel');
  const back = `<p><a href="${portal.return_url}">Back</a></p>`;
  return html(`<h1>Billing</h1>${subscription ? buttons : '<p>No subscription.</p>'}${back}`);
}

/** Stripe's pages: a checkout to pay, a portal to change or cancel. */
export function answerPage(state: StripeState, prices: Prices, method: string, path: string, body: string): Page {
  const [, kind, id = ''] = path.split('/');
  if (kind === 'pay') return payPage(state, method, id);
  if (kind === 'portal') return portalPage(state, prices, method, id, body);
  return html('<p>Nothing here.</p>', 404);
}
