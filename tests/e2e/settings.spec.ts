import { expect, type Page } from 'playwright/test';
import { freePort } from '@/scripts/lib/ports.mjs';
import { complaints, look, running, signUpInBrowser } from '@/tests/support/page';
import { type Product, startProduct } from '@/tests/support/product';
import { test } from '@/tests/support/shared-product';
import { type StripeStandIn, startStripe, stripeKeys } from '@/tests/support/stripe/stripe';

// Keys, plan and audit log of a team, in different roles.

let stripe: StripeStandIn;
let product: Product;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  const port = await freePort();
  stripe = await startStripe({ webhookUrl: `http://127.0.0.1:${port}/api/stripe/webhook` });
  product = await startProduct({
    env: {
      PORT: String(port),
      STRIPE_API_BASE: stripe.url,
      STRIPE_SECRET_KEY: stripeKeys.secretKey,
      STRIPE_WEBHOOK_SECRET: stripeKeys.webhookSecret,
      STRIPE_PRICE_PRO: stripeKeys.pricePro,
      STRIPE_PRICE_BUSINESS: stripeKeys.priceBusiness,
    },
  });
});

test.afterAll(async () => {
  await product?.stop();
  await stripe?.close();
});

const signUp = (page: Page, email: string) => signUpInBrowser(page, product.url, email);

function readMonitors(secret: string): Promise<Response> {
  return fetch(`${product.url}/api/v1/monitors`, { headers: { authorization: `Bearer ${secret}` } });
}

test('an API key is created, its secret shown once, used and revoked', async ({ page }) => {
  const found = complaints(page);
  await signUp(page, 'robin@example.test');
  await page.goto(`${product.url}/monitors`);
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await expect(page.getByText('No API keys')).toBeVisible();
  await look(page);

  await page.getByRole('button', { name: 'New API key' }).click();
  const dialog = page.getByRole('dialog');
  await look(page);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect(dialog.getByText('Enter a name.')).toBeVisible();
  await dialog.getByLabel('Name').fill('Terraform');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = (await dialog.getByText(/^uw_/).textContent())?.trim() ?? '';
  await look(page);
  expect((await readMonitors(secret)).status).toBe(200);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(secret)).toHaveCount(0);

  const row = page.getByRole('row', { name: /Terraform/ });
  await expect(row).toContainText(secret.slice(0, 9));
  await expect(row).toContainText('read');
  await look(page);
  await page.reload();
  await expect(page.getByText(secret)).toHaveCount(0);
  await row.getByRole('button', { name: 'Revoke Terraform' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('rejected immediately');
  await look(page);
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByText('No API keys')).toBeVisible();
  expect((await readMonitors(secret)).status).toBe(401);
  expect(found).toEqual([]);
});

test('an API key gets scopes of chosen resources, an expiry and networks', async ({ page }) => {
  const found = complaints(page);
  await signUp(page, 'noor@example.test');
  await page.goto(`${product.url}/settings/api-keys`);
  await running(page);
  await page.getByRole('button', { name: 'New API key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Grafana');
  await dialog.getByText('By resource').click();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect(dialog.getByText('Select at least one resource.')).toBeVisible();
  const choose = async (resource: string, access: string) => {
    await dialog.getByRole('combobox', { name: resource }).click();
    await page.getByRole('option', { name: access, exact: true }).click();
  };
  await choose('Monitors', 'Read');
  await choose('Incidents', 'Read and write');
  await choose('Incidents', 'No access');
  await choose('Status pages', 'Read and write');
  await choose('Expires', 'In 90 days');
  await dialog.getByLabel('Allowed networks').fill('127.0.0.0/8, office');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect(dialog.getByText('Enter an IP address or a range such as 192.0.2.0/24.')).toBeVisible();
  await look(page);
  await dialog.getByLabel('Allowed networks').fill('127.0.0.0/8, ::1');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = (await dialog.getByText(/^uw_/).textContent())?.trim() ?? '';
  await dialog.getByRole('button', { name: 'Done' }).click();

  const row = page.getByRole('row', { name: /Grafana/ });
  await expect(row).toContainText('monitors:read');
  await expect(row).toContainText('status-pages:write');
  await expect(row).not.toContainText('incidents');
  await expect(row).toContainText('from 127.0.0.0/8, ::1/128');
  await expect(row).not.toContainText('Never expires');
  await look(page);
  expect((await readMonitors(secret)).status).toBe(200);
  const headers = { authorization: `Bearer ${secret}` };
  const refused = await fetch(`${product.url}/api/v1/incidents`, { headers });
  expect([refused.status, (await refused.json()).error.message]).toEqual([
    403,
    'This API key lacks the scope "incidents:read".',
  ]);
  // The server refused the text that is no network.
  expect(found.filter((text) => !/status of 400/.test(text))).toEqual([]);
});

test('a plan is bought, changed and cancelled at Stripe, and the page updates', async ({ page }) => {
  await signUp(page, 'kim@example.test');
  await page.goto(`${product.url}/settings/billing`);
  await expect(page.getByRole('heading', { name: 'Free plan' })).toBeVisible();
  await expect(page.getByText('of 20')).toBeVisible();
  await look(page);

  stripe.fail('closed');
  await page.getByRole('button', { name: 'Choose Pro' }).click();
  await expect(page.getByText(/Could not reach the payment provider/)).toBeVisible();
  stripe.fail(null);

  await page.getByRole('button', { name: 'Choose Pro' }).click();
  await page.waitForURL(`${stripe.url}/pay/**`);
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.waitForURL('**/settings/billing?checkout=done');
  await expect(page.getByText('This team is on the Pro plan')).toBeVisible();
  await expect(page.getByText('of 200')).toBeVisible();
  await look(page);

  await page.getByRole('button', { name: 'Open billing portal' }).click();
  await page.waitForURL(`${stripe.url}/portal/**`);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL('**/settings/billing');
  await expect(page.getByRole('heading', { name: 'Free plan' })).toBeVisible();
});

test('the audit log shows actor, change and credential', async ({ page }) => {
  const found = complaints(page);
  await signUp(page, 'ada@example.test');
  await page.goto(`${product.url}/settings/api-keys`);
  await page.getByRole('button', { name: 'New API key' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Deploy');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('link', { name: 'Audit log' }).click();
  const entry = page.getByRole('listitem').filter({ hasText: 'created the API key Deploy' });
  await expect(entry).toContainText('ada@example.test');
  await entry.locator('summary').click();
  await expect(entry).toContainText('api_key.create');
  await expect(entry).toContainText('session');
  await look(page);
  await page.getByRole('combobox', { name: 'Filter by type' }).click();
  await page.getByRole('option', { name: 'Monitors' }).click();
  await expect(page.getByText('No matching changes')).toBeVisible();
  await look(page);
  expect(found).toEqual([]);
});
