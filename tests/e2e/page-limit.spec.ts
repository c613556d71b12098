import { expect } from 'playwright/test';
import { type Product, startProduct } from '@/tests/support/product';
import { test } from '@/tests/support/shared-product';

let product: Product;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  // Two pages at once, then one every 6 s.
  product = await startProduct({ env: { PAGE_RATE_LIMIT_PER_MINUTE: '10' } });
});

test.afterAll(() => product?.stop());

test('a link beyond the limit of pages says so, and opens by itself a few seconds later', async ({ page }) => {
  await page.goto(`${product.url}/signup`);
  await page.getByLabel('Email').fill('robin@example.test');
  await page.getByLabel('Password').fill('a long enough password');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/monitors');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText(/monitors/i);
  await expect(async () => {
    expect((await page.request.get(`${product.url}/settings/account`)).status()).toBe(429);
  }).toPass();
  const refused = page.waitForResponse((answer) => answer.status() === 429 && !answer.request().isNavigationRequest());
  await page.getByRole('navigation').getByRole('link', { name: 'Incidents' }).first().click();
  await refused;
  await expect(heading).toHaveText('Too many requests');
  expect(new URL(page.url()).pathname).toBe('/incidents');
  await expect(heading).toHaveText(/incidents/i, { timeout: 30_000 });
});
