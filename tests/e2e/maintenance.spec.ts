import { expect } from 'playwright/test';
import { complaints, look, signUpInBrowser } from '@/tests/support/page';
import type { Product } from '@/tests/support/product';
import { test } from '@/tests/support/shared-product';

// A user starts, plans, skips, extends, ends and deletes maintenance.

let product: Product;
test.beforeAll(async ({ sharedProduct }) => {
  product = sharedProduct;
});

// A time zone without daylight saving, so that no hour occurs twice.
test.use({ timezoneId: 'UTC' });

test('a member starts maintenance, plans it every week, and ends it', async ({ page }) => {
  const errors = complaints(page);
  await signUpInBrowser(page, product.url, 'mika@example.test');
  const made = await page.request.post(`${product.url}/dashboard/monitors`, {
    headers: { origin: product.url },
    data: { type: 'tcp', name: 'Shop', config: { host: '127.0.0.1', port: 9, confirm: { failures: 1 } } },
  });
  const { monitor } = await made.json();
  await page.goto(`${product.url}/monitors/${monitor.id}`);
  await expect(page.getByText(/^Down for/)).toBeVisible();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Start maintenance for 1 h' }).click();
  await expect(page.getByText('Started maintenance of Shop for 1 h')).toBeVisible();
  await expect(page.getByText(/^Maintenance for/)).toBeVisible();
  await look(page);

  await page.getByRole('link', { name: 'Maintenance' }).first().click();
  const list = page.getByRole('table', { name: 'Maintenance windows' });
  await expect(list.getByText('Running')).toBeVisible();
  await look(page);

  await page.getByRole('link', { name: 'Schedule maintenance' }).click();
  await page.getByRole('button', { name: 'Schedule maintenance' }).click();
  await expect(page.getByText('Enter a title.')).toBeVisible();
  await expect(page.getByText('Select at least one monitor or tag.')).toBeVisible();
  await expect(page.getByLabel('Title')).toBeFocused();
  await page.getByLabel('Title').fill('Index rebuild');
  await page.getByRole('button', { name: 'Schedule maintenance' }).click();
  await expect(page.getByRole('searchbox', { name: /^Monitors/ })).toBeFocused();
  await page.getByRole('combobox', { name: 'Repeats' }).click();
  await page.getByRole('option', { name: 'Every week' }).click();
  await page.getByRole('button', { name: 'Su', exact: true }).click();
  await expect(page.getByRole('region', { name: /^Next windows/ }).getByRole('listitem')).toHaveCount(5);
  await page.getByRole('button', { name: 'Add Shop' }).click();
  await page.getByRole('switch', { name: 'Notify the channels of its monitors' }).click();
  await look(page);
  // Unsaved changes are not lost by a click on a link.
  await page.getByRole('link', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('button', { name: 'Schedule maintenance' }).click();
  await expect(list.getByText('Every Sunday')).toBeVisible();

  await page.getByRole('button', { name: 'iCal feed' }).click();
  await expect(page.getByText('You have no calendar link yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Create link' }).click();
  const feed = (await page.getByText(/\.ics$/).textContent()) ?? '';
  await look(page);
  await page.getByRole('button', { name: 'Close' }).click();
  const calendar = async () => (await page.request.get(feed)).text();
  expect(await calendar()).toContain('SUMMARY:Index rebuild');

  await list.getByRole('button', { name: 'Actions for Index rebuild' }).click();
  await page.getByRole('menuitem', { name: 'Skip the next window' }).click();
  await expect(page.getByText(/^Skipped /)).toBeVisible();
  await expect(list.getByText('Every Sunday · 1 skipped')).toBeVisible();
  expect(await calendar()).toContain('STATUS:CANCELLED');
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect(list.getByText('Every Sunday', { exact: true })).toBeVisible();
  expect(await calendar()).not.toContain('STATUS:CANCELLED');
  await list.getByRole('link', { name: 'Index rebuild' }).click();
  const coming = page.getByRole('region', { name: /^Next windows/ });
  // A skip is not a conflict with unsaved changes of the form.
  await page.getByLabel('Title').fill('Index rebuild, all tables');
  await coming
    .getByRole('button', { name: /^Skip / })
    .nth(1)
    .click();
  await expect(coming.getByText('Skipped')).toHaveCount(1);
  await expect(
    coming
      .getByRole('listitem')
      .nth(1)
      .getByRole('button', { name: /^Undo the skip of / }),
  ).toBeFocused();
  await look(page);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Saved Index rebuild, all tables')).toBeVisible();
  await coming.getByRole('button', { name: /^Undo the skip of / }).click();
  await expect(coming.getByText('Skipped')).toHaveCount(0);
  await page.getByLabel('Title').fill('Index rebuild');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('heading', { name: 'Index rebuild', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Maintenance' }).first().click();

  await page.getByRole('button', { name: 'Calendar' }).click();
  await expect(page.getByRole('link', { name: /Maintenance of Shop/ }).first()).toBeVisible();
  await look(page);
  await page.getByRole('button', { name: 'List' }).click();
  await list.getByRole('button', { name: 'Actions for Maintenance of Shop' }).click();
  await page.getByRole('menuitem', { name: 'Extend by 30 min' }).click();
  await expect(page.getByText('Extended Maintenance of Shop by 30 min')).toBeVisible();
  await list.getByRole('button', { name: 'End now' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End maintenance' }).click();
  await expect(list.getByText('Past')).toBeVisible();
  await page.goto(`${product.url}/monitors/${monitor.id}`);
  await expect(page.getByText(/^Down for/)).toBeVisible();

  await page.goto(`${product.url}/maintenance`);
  await list.getByRole('link', { name: 'Index rebuild' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete window' }).click();
  await expect(list.getByText('Index rebuild')).toHaveCount(0);
  expect(errors).toEqual([]);
});
