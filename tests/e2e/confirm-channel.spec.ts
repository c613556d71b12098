import { expect } from 'playwright/test';
import { complaints, look } from '@/tests/support/page';
import { type Product, startProduct } from '@/tests/support/product';
import { test } from '@/tests/support/shared-product';

// A recipient who confirms their address, seen by recipient and team. Without a mail server, messages are stored.

let product: Product;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  product = await startProduct();
});

test.afterAll(async () => {
  await product?.stop();
});

const account = { email: 'ada@example.test', password: 'a long enough password', name: 'Ada', teamName: 'Northwind' };

async function api(method: string, path: string, token?: string, body?: unknown) {
  const response = await fetch(product.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

/** The link to a page in the latest undelivered mail to an address. */
async function linkTo(token: string, address: string, path = 'confirm-channel'): Promise<string> {
  const read = async () => {
    const { mails } = await api('GET', '/admin/mail', token);
    const mail = mails.find(({ to }: { to: string }) => to === address);
    return new RegExp(`/${path}/\\S+`).exec(mail?.text ?? '')?.[0] ?? '';
  };
  await expect.poll(read, { timeout: 20_000 }).not.toBe('');
  return read();
}

test('a recipient confirms alerts from a team', async ({ page, browser }) => {
  const faults = complaints(page);
  const { accessToken: token } = await api('POST', '/auth/signup', undefined, account);
  await page.goto(`${product.url}/login`);
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/monitors');
  const config = { to: 'on-call@example.test' };
  const body = { type: 'email', name: 'On-call', config };
  const { channel } = await api('POST', '/dashboard/notification-channels', token, body);
  await page.goto(`${product.url}/channels/${channel.id}`);
  await expect(page.getByText('Waiting for confirmation')).toBeVisible();
  await look(page);

  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(product.url + (await linkTo(token, config.to)));
  await expect(visitor.getByRole('heading', { name: 'Confirm alerts' })).toBeVisible();
  await expect(visitor.getByText('Northwind wants to send alerts from Upwatch to on-call@example.test')).toBeVisible();
  await look(visitor);
  // Opening the link does not confirm the address.
  await expect(page.getByText('Waiting for confirmation')).toBeVisible();
  await visitor.getByRole('button', { name: 'Receive alerts' }).click();
  await expect(visitor.getByText('on-call@example.test receives the alerts of Northwind')).toBeVisible();
  await expect(page.getByText('Waiting for confirmation')).toBeHidden();

  const templates = page.getByRole('form', { name: 'Templates' });
  await templates.getByLabel('Subject').fill('Pager: {{incident.titel}}');
  await templates.getByRole('button', { name: 'Save templates' }).click();
  await expect(templates.getByText('Did you mean {{incident.title}}?')).toBeVisible();
  await templates.getByLabel('Subject').fill('Pager: {{incident.title}}');
  await templates.getByRole('button', { name: 'Preview' }).click();
  await expect(templates.getByText('Pager: Checkout API is down')).toBeVisible();
  await expect(templates.getByText('Example, because there was none yet')).toBeVisible();
  await look(page);
  await templates.getByRole('button', { name: 'Save templates' }).click();
  await expect(page.getByText('Templates saved')).toBeVisible();

  // A reader of the alert acknowledges: the page asks, and only its button does.
  const { incident } = await api('POST', '/api/v1/incidents', token, { title: 'Orders are late' });
  await visitor.goto(product.url + (await linkTo(token, config.to, 'acknowledge')));
  await expect(visitor.getByRole('heading', { name: 'Acknowledge this incident?' })).toBeVisible();
  await expect(visitor.getByText('Orders are late')).toBeVisible();
  await look(visitor);
  expect((await api('GET', `/api/v1/incidents/${incident.id}`, token)).incident.status).toBe('open');
  await visitor.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(visitor.getByText('Someone through On-call acknowledged it')).toBeVisible();
  await page.goto(`${product.url}/incidents/${incident.id}`);
  await expect(page.getByText('acknowledged by Someone through On-call')).toBeVisible();
  await visitor.goto(`${product.url}/acknowledge/nothing`);
  await expect(visitor.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible();

  await visitor.goto(`${product.url}/confirm-channel/nothing`);
  await expect(visitor.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible();
  // The rejected template is the only request that failed.
  expect(faults).toEqual([expect.stringContaining('notifications.templates.set')]);
});
