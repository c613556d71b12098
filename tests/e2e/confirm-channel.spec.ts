import { expect, test } from 'playwright/test';
import { complaints, look } from '@/tests/support/page';
import { type Product, startProduct } from '@/tests/support/product';

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

/** The link in the latest undelivered mail to an address. */
async function linkTo(token: string, address: string): Promise<string> {
  const read = async () => {
    const { mails } = await api('GET', '/admin/mail', token);
    const mail = mails.find(({ to }: { to: string }) => to === address);
    return /\/confirm-channel\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
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

  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(product.url + (await linkTo(token, config.to)));
  await expect(stranger.getByRole('heading', { name: 'Confirm alerts' })).toBeVisible();
  await expect(stranger.getByText('Northwind wants to send alerts from Upwatch to on-call@example.test')).toBeVisible();
  await look(stranger);
  // Opening the link does not confirm the address.
  await expect(page.getByText('Waiting for confirmation')).toBeVisible();
  await stranger.getByRole('button', { name: 'Receive alerts' }).click();
  await expect(stranger.getByText('on-call@example.test receives the alerts of Northwind')).toBeVisible();
  await expect(page.getByText('Waiting for confirmation')).toBeHidden();

  await stranger.goto(`${product.url}/confirm-channel/nothing`);
  await expect(stranger.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible();
  expect(faults).toEqual([]);
});
