import { expect, type Page } from 'playwright/test';
import { complaints, look, signUpInBrowser } from '@/tests/support/page';
import type { Product } from '@/tests/support/product';
import { test } from '@/tests/support/shared-product';

// A user excludes a period from a monitor's uptime and removes the exclusion.

let product: Product;
test.beforeAll(async ({ sharedProduct }) => {
  product = sharedProduct;
});

// A time zone without daylight saving, so that no hour occurs twice.
test.use({ timezoneId: 'UTC' });

/** A time in the format of a datetime-local field, in the browser's time zone. */
function local(minutesAgo: number): string {
  return new Date(Date.now() - minutesAgo * 60_000).toISOString().slice(0, 16);
}

async function fill(page: Page, from: string, to: string, reason: string): Promise<void> {
  await page.getByLabel('From (UTC)').fill(from);
  await page.getByLabel('To (UTC)').fill(to);
  await page.getByLabel('Reason').fill(reason);
  await page.getByRole('button', { name: 'Exclude', exact: true }).click();
}

test('a member excludes time with a reason and removes the exclusion', async ({ page }) => {
  const errors = complaints(page);
  await signUpInBrowser(page, product.url, 'kim@example.test');
  const made = await page.request.post(`${product.url}/dashboard/monitors`, {
    headers: { origin: product.url },
    data: { type: 'http', name: 'Shop', config: { url: `${product.url}/api/health` } },
  });
  const { monitor } = await made.json();
  await page.goto(`${product.url}/monitors/${monitor.id}?range=90d`);
  await expect(page.getByRole('button', { name: '90 d', pressed: true })).toBeVisible();

  await page.getByRole('button', { name: 'Exclude time' }).click();
  // Without an outage, the last hour is suggested.
  const suggested = await page.getByLabel('From (UTC)').inputValue();
  expect([local(60), local(61)]).toContain(suggested);
  await fill(page, local(60), local(90), '');
  await expect(page.getByText('Enter a reason.')).toBeVisible();
  await fill(page, local(60), local(90), 'Planned failover test');
  await expect(page.getByText('The end must be after the start.')).toBeVisible();
  await look(page);
  await fill(page, local(90), local(60), 'Planned failover test');
  const list = page.getByRole('list', { name: 'Excluded from uptime' });
  await expect(list.getByText('Planned failover test')).toBeVisible();
  await expect(list.getByText('kim@example.test')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await look(page);

  await list.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('No exclusions.')).toBeVisible();
  expect(errors).toEqual([]);
});
