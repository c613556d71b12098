import { readFileSync } from 'node:fs';
import { expect, type Page } from 'playwright/test';
import { complaints, look, running, signUpInBrowser, watchLayoutShift } from '@/tests/support/page';
import type { Product } from '@/tests/support/product';
import { test } from '@/tests/support/shared-product';

// Saved views of the list of monitors, and the list as a CSV file.

test.use({ actionTimeout: 10_000, viewport: { width: 1280, height: 800 } });

async function signUp(page: Page, product: Product, email: string) {
  await signUpInBrowser(page, product.url, email);
  const create = (data: object) =>
    page.request.post(`${product.url}/dashboard/monitors`, { data, headers: { origin: product.url } });
  const monitor = { type: 'http', config: { url: 'http://127.0.0.1:9/' }, intervalSeconds: 3600 };
  expect((await create({ ...monitor, name: '=Checkout', tags: ['payments'] })).status()).toBe(201);
  expect((await create({ ...monitor, name: 'Blog', tags: ['web'] })).status()).toBe(201);
  await page.goto(`${product.url}/monitors`);
  await running(page);
}

const tabs = (page: Page) => page.getByRole('navigation', { name: 'Saved views' });
const table = (page: Page) => page.getByRole('table', { name: 'Monitors' });

test('a team saves views of the list, opens it with one, and downloads what is shown', async ({
  page,
  sharedProduct,
}) => {
  const wrong = complaints(page);
  const shift = await watchLayoutShift(page);
  await signUp(page, sharedProduct, 'views@example.test');

  await test.step('what the list shows becomes a tab', async () => {
    await expect(tabs(page)).toBeHidden();
    await page.goto(`${sharedProduct.url}/monitors?tag=payments&sort=name`);
    await running(page);
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Save as view…' }).click();
    await page.getByRole('button', { name: 'Save view' }).click();
    await expect(page.getByText('Enter a name.')).toBeVisible();
    await page.getByRole('textbox', { name: 'Name' }).fill('Payments');
    await page.getByLabel('Open the list with this view').click();
    await page.getByRole('button', { name: 'Save view' }).click();
    await expect(tabs(page).getByRole('link', { name: 'Payments' })).toHaveAttribute('aria-current', 'true');
    await expect(page).toHaveURL(/tag=payments&sort=name&view=/);
    await look(page);
  });

  await test.step('a name that is taken is refused at the field', async () => {
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Save as view…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Payments');
    await page.getByRole('button', { name: 'Save view' }).click();
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText('already');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard changes' }).click();
  });

  await test.step('the list opens with the default view, and nothing moves', async () => {
    await page.goto(`${sharedProduct.url}/monitors`);
    await running(page);
    await expect(page).toHaveURL(/tag=payments/);
    await expect(table(page).getByRole('link', { name: '=Checkout' })).toBeVisible();
    await expect(table(page).getByRole('link', { name: 'Blog' })).toBeHidden();
    expect(await shift()).toBeLessThanOrEqual(0.02);
  });

  await test.step('the palette opens a view from any page', async () => {
    await page.goto(`${sharedProduct.url}/incidents`);
    await running(page);
    await page.keyboard.press('ControlOrMeta+k');
    const palette = page.getByRole('dialog', { name: 'Search and commands' });
    await palette.getByRole('combobox').pressSequentially('paym');
    await palette.getByRole('group', { name: 'Saved views' }).getByRole('option', { name: 'Payments' }).click();
    await expect(page).toHaveURL(/\/monitors\?tag=payments&sort=name&view=/);
    await expect(tabs(page).getByRole('link', { name: 'Payments', exact: true })).toHaveAttribute(
      'aria-current',
      'true',
    );
  });

  await test.step('tabs show all monitors and the view again, by keyboard', async () => {
    await tabs(page).getByRole('link', { name: 'All' }).press('Enter');
    await expect(table(page).getByRole('link', { name: 'Blog' })).toBeVisible();
    await page.reload();
    await running(page);
    await expect(table(page).getByRole('link', { name: 'Blog' })).toBeVisible();
    await tabs(page).getByRole('link', { name: 'Payments' }).press('Enter');
    await expect(table(page).getByRole('link', { name: 'Blog' })).toBeHidden();
  });

  await test.step('an edited view is marked, reset and saved', async () => {
    await page.getByRole('button', { name: /Remove filter Tag/ }).click();
    await expect(tabs(page).getByRole('link', { name: 'Payments edited' })).toBeVisible();
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect(tabs(page).getByRole('link', { name: 'Payments', exact: true })).toBeVisible();
    await page.getByRole('button', { name: /Remove filter Tag/ }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(tabs(page).getByRole('link', { name: 'Payments', exact: true })).toBeVisible();
  });

  await test.step('the list is downloaded as it is shown', async () => {
    await expect(table(page).getByRole('link', { name: 'Blog' })).toBeVisible();
    await page.getByRole('button', { name: 'View', exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Download as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^monitors-\d{4}-\d\d-\d\d\.csv$/);
    const lines = readFileSync(await download.path(), 'utf8').split('\r\n');
    expect(lines[0]).toContain('Name,Type,Target,Status');
    expect(lines.slice(1, 3).map((line) => line.split(',')[0])).toEqual(["'=Checkout", 'Blog']);
    expect(lines).toHaveLength(4);
  });

  await test.step('a view is renamed and deleted', async () => {
    await page.getByRole('button', { name: 'Actions for the view Payments' }).click();
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Everything');
    await page.getByRole('button', { name: 'Rename view' }).click();
    await page.getByRole('button', { name: 'Actions for the view Everything' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete view' }).click();
    await expect(tabs(page)).toBeHidden();
    await expect(page).toHaveURL(/\/monitors$/);
  });
  // The server refuses the name that is taken.
  expect(wrong.filter((each) => !each.includes('400'))).toEqual([]);
});
