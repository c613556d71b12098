import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, type Page } from 'playwright/test';
import { complaints, look, running, signUpInBrowser } from '@/tests/support/page';
import { type Product, startProduct } from '@/tests/support/product';
import { test } from '@/tests/support/shared-product';

// The frame of every dashboard page, and what its parts do on all of them.

test.use({ actionTimeout: 10_000 });

let product: Product;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  product = await startProduct({ env: { AUTH_RATE_LIMIT_PER_MINUTE: '0' } });
});

test.afterAll(async () => {
  await product?.stop();
});

async function signUp(page: Page, email: string) {
  await signUpInBrowser(page, product.url, email);
  await page.goto(`${product.url}/monitors`);
  await running(page);
}

test('a phone has a bottom bar and two menus that link to every page', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signUp(page, 'robin@example.test');
  const bar = page.getByRole('navigation', { name: 'Main, bottom' });
  const more = bar.getByRole('button', { name: 'More' });
  await expect(bar.getByRole('link')).toHaveCount(4);
  for (const link of [...(await bar.getByRole('link').all()), more]) {
    const box = await link.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(40);
    // No label is cut off or wraps.
    expect(await link.evaluate((node) => node.scrollWidth <= node.clientWidth)).toBe(true);
  }
  await more.press('Enter');
  for (const rest of ['On-call', 'Maintenance', 'Reports', 'Team'])
    await expect(page.getByRole('menuitem', { name: rest })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Team' }).press('Enter');
  await page.waitForURL('**/team');
  await expect(more).toHaveAttribute('aria-current', 'page');
  await page.getByRole('button', { name: /^Account of/ }).press('Enter');
  await page.keyboard.press('ArrowDown');
  for (const rest of ['Settings', 'Instance']) await expect(page.getByRole('menuitem', { name: rest })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Settings' }).press('Enter');
  await page.waitForURL('**/settings**');
  await look(page);
});

test('a tablet has an icon rail that links to every page by keyboard', async ({ page }) => {
  const wrong = complaints(page);
  await page.setViewportSize({ width: 900, height: 700 });
  await signUp(page, 'kim@example.test');
  const rail = page.getByRole('navigation', { name: 'Main', exact: true });
  const labels = 'Monitors,Incidents,On-call,Maintenance,Reports,Channels,Status pages,Team,Settings'.split(',');
  await rail.getByRole('link', { name: 'Monitors' }).focus();
  for (const label of labels) {
    await expect(rail.getByRole('link', { name: label, exact: true })).toBeFocused();
    await page.keyboard.press('Tab');
  }
  await expect(rail.getByRole('link', { name: 'Instance' })).toHaveCount(0);
  expect((await rail.boundingBox())?.width).toBeLessThan(80);
  await rail.getByRole('link', { name: 'Channels' }).press('Enter');
  await page.waitForURL('**/channels');
  await expect(rail.getByRole('link', { name: 'Channels' })).toHaveAttribute('aria-current', 'page');
  await look(page);
  expect(wrong).toEqual([]);
});

test('a secret is copied without the clipboard API (plain http), in a dialog too', async ({ page }) => {
  const wrong = complaints(page);
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await signUpInBrowser(page, product.url, 'lee@example.test');
  await page.goto(`${product.url}/settings/api-keys`);
  await page.getByRole('button', { name: 'New API key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Deploy');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = (await dialog.getByText(/^uw_/).textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Copy secret' }).click();
  await expect(dialog.getByRole('status')).toHaveText('Copied');
  await expect(dialog.getByRole('button', { name: /^Cop/ })).toBeFocused();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'New API key' }).click();
  await dialog.getByLabel('Name').press('ControlOrMeta+v');
  await expect(dialog.getByLabel('Name')).toHaveValue(secret);
  expect(wrong).toEqual([]);
});

test('an administrator sees running workers, and that none is running', async ({ page }) => {
  const wrong = complaints(page);
  await page.goto(`${product.url}/login`);
  await page.getByLabel('Email').fill('robin@example.test');
  await page.getByLabel('Password').fill('a long enough password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/monitors');
  await page.goto(`${product.url}/instance`);
  await page.getByRole('navigation', { name: 'Instance' }).getByRole('link', { name: 'Workers' }).click();
  const worker = page.getByRole('table', { name: 'Workers' }).getByRole('row').nth(1);
  await expect(worker).toContainText('default');
  await expect(worker).toContainText(/\d+\.\d+\.\d+\+[0-9a-f]{8}/);
  await look(page);
  expect(wrong).toEqual([]);

  await page.route('**/api/trpc/workers.list**', (route) => route.abort());
  await page.reload();
  await expect(page.getByText('Could not load workers')).toBeVisible({ timeout: 30_000 });
  await page.unroute('**/api/trpc/workers.list**');

  // A stopped worker sends no more presence updates.
  const pid = product.pidOf('worker') ?? 0;
  process.kill(pid, 'SIGSTOP');
  try {
    const client = new pg.Client({ connectionString: product.childEnv.DATABASE_URL });
    await client.connect();
    // Messages sent before it stopped may still arrive.
    await expect(async () => {
      await client.query('delete from workers');
      await page.reload();
      await expect(page.getByText('No running workers')).toBeVisible();
    }).toPass({ timeout: 60_000 });
    await client.end();
    await look(page);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await expect(worker).toContainText('default', { timeout: 45_000 });
});

test('shortcuts are listed, work, and can be switched off for this browser', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await signUp(page, 'jo@example.test');
  const expand = page.getByRole('button', { name: 'Expand' });
  await page.keyboard.press('[');
  await expect(expand).toBeVisible();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet.getByText('Ctrl').first()).toBeVisible();
  await look(page);
  await sheet.getByRole('switch', { name: 'Single-key shortcuts' }).click();
  await sheet.getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await running(page);
  for (const key of ['[', '?', 'g', 'i']) await page.keyboard.press(key);
  await expect(expand).toBeVisible();
  await expect(sheet).toHaveCount(0);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
  await sheet.getByRole('switch', { name: 'Single-key shortcuts' }).click();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  for (const key of ['g', 'i']) await page.keyboard.press(key);
  await page.waitForURL('**/incidents');

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.getByRole('link', { name: 'Skip to content' })).toHaveCount(0);
  await expect(page.getByRole('navigation')).toHaveCount(0);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light');
  const address = await page.locator('link[rel="manifest"]').getAttribute('href');
  const manifest = await (await page.request.get(product.url + address)).json();
  for (const { src } of manifest.icons) expect((await page.request.get(product.url + src)).status()).toBe(200);
});

test('the page shows within seconds that it is offline, keeps its content and reconnects', async ({
  page,
  context,
}) => {
  await signUp(page, 'sam@example.test');
  const live = page.getByRole('banner').getByRole('status');
  await expect(live).toHaveText('Live');
  await context.setOffline(true);
  await expect(live).toHaveText('Reconnecting');
  await expect(live).toHaveText(/^Offline, as of (\d\d:\d\d:\d\d|\d+ \w+ \d\d:\d\d)/, { timeout: 30_000 });
  await expect(page.getByRole('heading', { name: 'No monitors yet' })).toBeVisible();
  await context.setOffline(false);
  await expect(live).toHaveText('Live');
});

test('a page below a list links back to it; a missing page has a heading', async ({ page }) => {
  await signUpInBrowser(page, product.url, 'toni@example.test');
  await page.goto(`${product.url}/channels/new`);
  const above = page.getByRole('navigation', { name: 'Breadcrumb' });
  await above.getByRole('link', { name: 'Channels' }).press('Enter');
  await page.waitForURL('**/channels');
  await expect(above).toHaveCount(0);
  await page.goto(`${product.url}/monitors/nothing`);
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await look(page);
});

test('parts that load late open, and those that cannot be loaded leave the page as it is', async ({ page }) => {
  // Nothing is loaded ahead.
  await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0, cancelIdleCallback: () => {} }));
  await signUp(page, 'late@example.test');
  const scripts = '**/_next/static/chunks/**';
  await page.route(scripts, (route) => route.abort());
  await page.keyboard.press('?');
  await expect(page.getByText('A part of this page could not be loaded.').first()).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  await page.unroute(scripts);
  await page.route(scripts, async (route) => {
    await sleep(700);
    await route.continue();
  });
  await page.reload();
  await running(page);
  await page.getByRole('button', { name: /^Account of/ }).press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Settings' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});
