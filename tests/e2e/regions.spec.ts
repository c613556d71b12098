import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, type Page } from 'playwright/test';
import { look, signUpInBrowser } from '@/tests/support/page';
import { type Product, startProduct } from '@/tests/support/product';
import { type HttpReceiver, startHttpReceiver } from '@/tests/support/receivers';
import { test } from '@/tests/support/shared-product';

// A monitor that is checked from several regions, with real workers.

test.use({ actionTimeout: 10_000 });

let product: Product;
let target: HttpReceiver;
const workers: ChildProcess[] = [];

test.beforeAll(async () => {
  test.setTimeout(300_000);
  target = await startHttpReceiver();
  product = await startProduct({ env: { ALLOW_PRIVATE_TARGETS: 'true', REGION: 'eu-west' } });
});

test.afterAll(async () => {
  for (const worker of workers) {
    if (worker.exitCode !== null || worker.signalCode !== null) continue;
    const ended = once(worker, 'exit');
    worker.kill('SIGTERM');
    await ended;
  }
  await product?.stop();
  await target?.close();
});

/** A worker of another machine, in its own region. */
function startWorker(region: string): ChildProcess {
  const env = { ...process.env, ...product.childEnv, REGION: region };
  const worker = spawn(process.execPath, ['.build/worker.mjs'], { env, stdio: 'ignore' });
  workers.push(worker);
  return worker;
}

const main = (page: Page) => page.getByRole('main');
const regionsOf = (page: Page) =>
  main(page)
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Regions' }) });

test('a monitor is checked in the chosen regions, and its page shows the result of each', async ({ page }) => {
  await signUpInBrowser(page, product.url, 'regions@example.test');

  // One region: nothing to choose.
  await page.goto(`${product.url}/monitors/new`);
  await expect(page.getByRole('heading', { name: 'Notifications' })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Regions' })).toHaveCount(0);

  const far = startWorker('us-east');
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('checkbox', { name: /us-east/ })).toBeVisible({ timeout: 4_000 });
  }).toPass({ timeout: 60_000 });
  await page.getByLabel('URL', { exact: true }).fill(target.url);
  await page.getByLabel('Name', { exact: true }).fill('Shop');
  await page.getByRole('checkbox', { name: /eu-west/ }).check();
  await page.getByRole('checkbox', { name: /us-east/ }).check();
  await look(page);
  await page.getByRole('button', { name: 'Create monitor' }).click();
  await page.waitForURL(/\/monitors\/[0-9A-Z]{26}$/);

  const regions = regionsOf(page);
  await expect(regions.getByRole('listitem').filter({ hasText: 'eu-west' })).toContainText('Up', { timeout: 20_000 });
  await expect(regions.getByRole('listitem').filter({ hasText: 'us-east' })).toContainText('Up', { timeout: 20_000 });
  await expect(main(page).getByRole('columnheader', { name: 'Region' })).toBeVisible();
  await look(page);

  // A region whose worker is gone is marked once it is forgotten, and can be removed from the monitor.
  const gone = once(far, 'exit');
  far.kill('SIGTERM');
  await gone;
  await expect(async () => {
    await page.reload();
    await expect(regions.getByText('No worker is running in this region.')).toBeVisible({ timeout: 4_000 });
  }).toPass({ timeout: 60_000 });
  await look(page);
  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(page.getByRole('checkbox', { name: /us-east/ })).toBeChecked();
  await page.getByRole('checkbox', { name: /us-east/ }).uncheck();
  await expect(page.getByText('Only workers in this region check the monitor.')).toBeVisible();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.waitForURL(/\/monitors\/[0-9A-Z]{26}$/);
  await expect(regions.getByRole('listitem')).toHaveCount(1);
});
