import { randomBytes } from 'node:crypto';

/** Parses a form body as Stripe does: `a[b][0]=c` is {a: {b: {0: 'c'}}}. */
export interface Params {
  [name: string]: string | Params;
}

interface Customer {
  id: string;
  object: 'customer';
  metadata: Params;
  deleted?: true;
}

export interface Subscription {
  id: string;
  object: 'subscription';
  customer: string;
  status: string;
  metadata: Params;
  items: { object: 'list'; data: { id: string; price: { id: string } }[] };
}

export interface CheckoutSession {
  id: string;
  object: 'checkout.session';
  customer: string;
  status: 'open' | 'complete';
  url: string;
  subscription: string | null;
  success_url: string;
  cancel_url: string;
  price: string;
  metadata: Params;
}

interface PortalSession {
  id: string;
  object: 'billing_portal.session';
  customer: string;
  url: string;
  return_url: string;
}

export interface StripeEvent {
  id: string;
  object: 'event';
  type: string;
  created: number;
  data: { object: unknown };
}

/** Errors in Stripe's own words. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly error: { type: string; code?: string; message: string; param?: string },
  ) {
    super(error.message);
  }
}

const newId = (kind: string) => `${kind}_${randomBytes(12).toString('hex')}`;
const text = (value: string | Params | undefined) => (typeof value === 'string' ? value : undefined);
const group = (value: string | Params | undefined): Params => (typeof value === 'object' ? value : {});

function missing(what: string, id: string, param: string): Refusal {
  return new Refusal(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param,
  });
}

function required(params: Params, name: string): string {
  const value = text(params[name]);
  if (value) return value;
  const message = `Missing required param: ${name}.`;
  throw new Refusal(400, { type: 'invalid_request_error', code: 'parameter_missing', message, param: name });
}

/** The account of the stand-in: its objects, and the events of their changes. */
export class StripeState {
  readonly customers = new Map<string, Customer>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly checkouts = new Map<string, CheckoutSession>();
  readonly portals = new Map<string, PortalSession>();
  readonly events: StripeEvent[] = [];

  constructor(
    private readonly baseUrl: () => string,
    private readonly prices: string[],
  ) {}

  createCustomer(params: Params): Customer {
    const customer: Customer = { id: newId('cus'), object: 'customer', metadata: group(params.metadata) };
    this.customers.set(customer.id, customer);
    this.emit('customer.created', customer);
    return customer;
  }

  /** With `expand[]=subscriptions`, the active ones. */
  readCustomer(id: string): Customer & { subscriptions?: { object: 'list'; data: Subscription[] } } {
    const customer = this.customers.get(id);
    if (!customer) throw missing('customer', id, 'id');
    if (customer.deleted) return { id, object: 'customer', deleted: true, metadata: {} };
    return { ...customer, subscriptions: { object: 'list', data: this.running(id) } };
  }

  deleteCustomer(id: string): { id: string; object: 'customer'; deleted: true } {
    const customer = this.customers.get(id);
    if (!customer || customer.deleted) throw missing('customer', id, 'id');
    for (const { id: subscription } of this.running(id)) this.cancel(subscription);
    customer.deleted = true;
    this.emit('customer.deleted', { ...customer });
    return { id, object: 'customer', deleted: true };
  }

  openCheckout(params: Params): CheckoutSession {
    const customer = this.living(required(params, 'customer'));
    const item = group(group(params.line_items)['0']);
    const price = required(item, 'price');
    if (!this.prices.includes(price)) throw missing('price', price, 'line_items[0][price]');
    if (required(params, 'mode') !== 'subscription') {
      throw new Refusal(400, { type: 'invalid_request_error', message: 'Only subscriptions here.', param: 'mode' });
    }
    const id = newId('cs_test');
    const session: CheckoutSession = {
      id,
      object: 'checkout.session',
      customer,
      status: 'open',
      url: `${this.baseUrl()}/pay/${id}`,
      subscription: null,
      success_url: required(params, 'success_url'),
      cancel_url: text(params.cancel_url) ?? '',
      price,
      metadata: group(group(params.subscription_data).metadata),
    };
    this.checkouts.set(id, session);
    return session;
  }

  openPortal(params: Params): PortalSession {
    const customer = this.living(required(params, 'customer'));
    const id = newId('bps');
    const return_url = text(params.return_url) ?? '';
    const session: PortalSession = {
      id,
      object: 'billing_portal.session',
      customer,
      url: `${this.baseUrl()}/portal/${id}`,
      return_url,
    };
    this.portals.set(id, session);
    return session;
  }

  /** The changes at Stripe when a customer pays. */
  pay(checkoutId: string): Subscription {
    const checkout = this.checkouts.get(checkoutId);
    if (checkout?.status !== 'open') throw missing('checkout.session', checkoutId, 'id');
    this.living(checkout.customer);
    const subscription: Subscription = {
      id: newId('sub'),
      object: 'subscription',
      customer: checkout.customer,
      status: 'active',
      metadata: checkout.metadata,
      items: { object: 'list', data: [{ id: newId('si'), price: { id: checkout.price } }] },
    };
    this.subscriptions.set(subscription.id, subscription);
    checkout.status = 'complete';
    checkout.subscription = subscription.id;
    this.emit('customer.subscription.created', subscription);
    this.emit('checkout.session.completed', checkout);
    return subscription;
  }

  /** Changes a subscription, as the portal, a renewal or a failed payment does. */
  change(id: string, { price, status }: { price?: string; status?: string }): StripeEvent {
    const subscription = this.subscriptions.get(id);
    if (!subscription) throw missing('subscription', id, 'id');
    if (status) subscription.status = status;
    if (price) subscription.items.data = [{ id: newId('si'), price: { id: price } }];
    return this.emit('customer.subscription.updated', subscription);
  }

  cancel(id: string): Subscription {
    const subscription = this.subscriptions.get(id);
    if (!subscription || subscription.status === 'canceled') throw missing('subscription', id, 'id');
    subscription.status = 'canceled';
    this.emit('customer.subscription.deleted', subscription);
    return subscription;
  }

  readSubscription(id: string): Subscription {
    const subscription = this.subscriptions.get(id);
    if (!subscription) throw missing('subscription', id, 'id');
    return subscription;
  }

  running(customer: string): Subscription[] {
    return [...this.subscriptions.values()].filter((each) => each.customer === customer && each.status !== 'canceled');
  }

  /** An event with the object's current state, as Stripe sends it whenever it arrives. */
  emit(type: string, object: unknown): StripeEvent {
    const created = Math.floor(Date.now() / 1000);
    const event: StripeEvent = {
      id: newId('evt'),
      object: 'event',
      type,
      created,
      data: { object: structuredClone(object) },
    };
    this.events.push(event);
    return event;
  }

  private living(id: string): string {
    const customer = this.customers.get(id);
    if (!customer || customer.deleted) throw missing('customer', id, 'customer');
    return id;
  }
}
