import { expect, type Page } from 'playwright/test';
import { complaints, look, signUpInBrowser } from '@/tests/support/page';
import type { Product } from '@/tests/support/product';
import { type HttpReceiver, startHttpReceiver } from '@/tests/support/receivers';
import { test } from '@/tests/support/shared-product';

// Sets up a schedule and a policy in the browser; a real monitor fails, and real receivers are notified one after the other.

let product: Product;
let target: HttpReceiver;
let phone: HttpReceiver;
let ops: HttpReceiver;

test.beforeAll(async ({ sharedProduct }) => {
  [target, phone, ops] = await Promise.all([startHttpReceiver(), startHttpReceiver(), startHttpReceiver()]);
  target.respond(() => ({ status: 503 }));
  product = sharedProduct;
});

test.afterAll(async () => {
  await Promise.all([target, phone, ops].map((each) => each?.close()));
});

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByLabel(label).click();
  await page.getByRole('option', { name: option }).click();
}

async function post(page: Page, path: string, data: unknown): Promise<void> {
  const answer = await page.request.post(product.url + path, { data, headers: { origin: product.url } });
  expect(answer.status(), await answer.text()).toBe(201);
}

test('the person on call is notified, then the next step, until somebody acknowledges', async ({ page }) => {
  test.setTimeout(300_000);
  const errors = complaints(page);
  await signUpInBrowser(page, product.url, 'mara@example.test');

  await page.goto(`${product.url}/settings/contact-methods`);
  await look(page);
  await choose(page, 'Add a contact method', 'Mattermost');
  await page.getByLabel('Name').fill('Phone');
  await page.getByLabel('Webhook URL').fill(`${phone.url}/hooks/phone`);
  await page.getByRole('button', { name: 'Create contact method' }).click();
  await expect(page.getByRole('list', { name: 'Your contact methods' })).toContainText('Phone');
  await look(page);
  await page.getByRole('button', { name: 'Test Phone' }).click();
  await phone.waitFor(1);

  await page.getByRole('link', { name: 'On-call' }).first().click();
  await expect(page.getByText('No schedules yet')).toBeVisible();
  await look(page);
  await page.getByRole('link', { name: 'New schedule' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Payments');
  await page.getByRole('button', { name: 'Create schedule' }).click();
  await expect(page.getByText('Choose at least one person.')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Add a person to layer 1' })).toBeFocused();
  await page.getByLabel('First handoff').fill('2026-01-05');
  await choose(page, 'Add a person to layer 1', 'mara@example.test');
  await look(page);
  await page.getByRole('button', { name: 'Create schedule' }).click();
  await expect(page.getByRole('heading', { name: 'Payments' })).toBeVisible();
  await expect(page.getByText('On call now').locator('..')).toContainText('mara@example.test');
  await look(page);
  await page.getByRole('button', { name: 'Add override' }).click();
  await choose(page, 'Person', 'mara@example.test');
  await page.getByLabel('Reason').fill('Vacation');
  await page.getByRole('button', { name: 'Add override' }).last().click();
  await expect(page.getByText('Vacation')).toBeVisible();
  await page.getByRole('button', { name: 'Edit the override of mara@example.test' }).click();
  await page.getByLabel('Reason').fill('Conference');
  await look(page);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Conference')).toBeVisible();
  await page.getByRole('button', { name: 'Delete the override of mara@example.test' }).click();
  await look(page);
  await page.getByRole('button', { name: 'Delete override' }).click();
  await expect(page.getByText('No overrides in these two weeks.')).toBeVisible();
  await page.getByRole('button', { name: 'iCal feed' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const feed = (await page.getByText(/\.ics$/).textContent()) ?? '';
  expect(await (await page.request.get(feed)).text()).toContain('SUMMARY:mara@example.test is on call: Payments');
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke link' }).click();
  await expect.poll(async () => (await page.request.get(feed)).status()).toBe(404);
  await page.getByRole('button', { name: 'Close' }).click();

  const hook = { type: 'webhook', name: 'Ops', config: { url: `${ops.url}/hook` } };
  await post(page, '/dashboard/notification-channels', hook);
  await page.getByRole('link', { name: 'Escalation policies' }).click();
  await expect(page.getByText('No escalation policies yet')).toBeVisible();
  await look(page);
  await page.getByRole('link', { name: 'New policy' }).first().click();
  await page.getByRole('button', { name: 'Create policy' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await page.getByLabel('Name', { exact: true }).fill('Payments');
  await page.getByRole('button', { name: 'Create policy' }).click();
  await expect(page.getByRole('combobox', { name: /to step 1$/ })).toBeFocused();
  await choose(page, 'Add a person, schedule or channel to step 1', 'Schedule: Payments');
  await page.getByLabel('Wait (min)').fill('1');
  await page.getByRole('button', { name: 'Add step' }).click();
  await choose(page, 'Add a person, schedule or channel to step 2', 'Channel: Ops');
  await expect(page.getByText('After 1 min', { exact: true })).toBeVisible();
  await look(page);
  await page.getByRole('button', { name: 'Create policy' }).click();
  await page.getByRole('link', { name: 'Payments' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Payments');

  const monitor = { type: 'http', name: 'Shop', config: { url: target.url }, intervalSeconds: 30 };
  await post(page, '/dashboard/monitors', monitor);
  await phone.waitFor(2, 90_000);
  expect(phone.requests[1]?.body).toContain('You are on call: Shop is down');
  expect(phone.requests[1]?.body).toContain('Payments, step 1 of 2');
  await page.goto(`${product.url}/incidents`);
  await page.getByRole('link', { name: /Shop/ }).first().click();
  await expect(page.getByText(/mara@example\.test was notified by Mattermost, step 1\./)).toBeVisible();
  await expect(page.getByText(/step 1 of 2, next at/)).toBeVisible();
  await look(page);
  const escalated = () => ops.requests.filter(({ body }) => body.includes('incident.escalated'));
  await expect.poll(() => escalated().length, { timeout: 90_000 }).toBe(1);
  await page.getByRole('button', { name: 'Acknowledge' }).first().click();
  await expect(page.getByText(/step 2 of 2, stopped/)).toBeVisible();
  // The notified person is notified of the acknowledgment, and is not called again.
  await phone.waitFor(3);
  expect(phone.requests.filter(({ body }) => body.includes('You are on call'))).toHaveLength(1);
  expect(errors).toEqual([]);
});
