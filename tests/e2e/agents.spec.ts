import { expect, type Page } from 'playwright/test';
import { complaints, look, running, signUpInBrowser } from '@/tests/support/page';
import { type Launched, launchCommand, type Product, startProduct } from '@/tests/support/product';
import { type HttpReceiver, startHttpReceiver } from '@/tests/support/receivers';
import { test } from '@/tests/support/shared-product';

// A private network: the instance may not connect to it, a real agent does.

test.use({ actionTimeout: 10_000 });

let product: Product;
let target: HttpReceiver;
let agent: Launched | undefined;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  target = await startHttpReceiver();
  product = await startProduct();
});

test.afterAll(async () => {
  if (agent) {
    process.kill(agent.pid, 'SIGTERM');
    await agent.exited;
  }
  await product?.stop();
  await target?.close();
});

const main = (page: Page) => page.getByRole('main');

test('an agent is set up, checks a monitor of its network, and stops when its token is revoked', async ({ page }) => {
  test.setTimeout(120_000);
  const found = complaints(page);
  await signUpInBrowser(page, product.url, 'agents@example.test');
  await page.goto(`${product.url}/settings/agents`);
  await expect(page.getByText('No agent tokens yet')).toBeVisible();
  await running(page);
  await look(page);

  await page.getByRole('button', { name: 'New agent token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Server room');
  await dialog.getByLabel('Region').fill('Office 1');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await expect(dialog.getByText('A region has up to 32 lowercase letters, digits and hyphens.')).toBeVisible();
  await look(page);
  await dialog.getByLabel('Region').fill('office');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const secret = (await dialog.getByText(/^uwa_/).textContent())?.trim() ?? '';
  await look(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(secret)).toHaveCount(0);
  await expect(page.getByRole('row', { name: /Server room/ })).toContainText('private/office');

  const command = [process.execPath, 'scripts/upwatch.mjs', 'agent', '--url', product.url, '--name', 'office-1'];
  agent = launchCommand(command, { UPWATCH_AGENT_TOKEN: secret });
  const row = page.getByRole('row', { name: /office-1/ });
  await page.reload();
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText('Connected', { timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
  await look(page);

  await page.goto(`${product.url}/monitors/new`);
  await running(page);
  await page.getByRole('textbox', { name: 'URL', exact: true }).fill(`${target.url}/intranet`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Intranet');
  await page.getByRole('checkbox', { name: 'private/office' }).check();
  await expect(page.getByText('Only agents of your team check the monitor.')).toBeVisible();
  await expect(page.getByText('1 agent')).toBeVisible();
  await main(page).getByRole('button', { name: 'Create monitor' }).click();
  await expect(page.getByRole('heading', { name: 'Intranet' })).toBeVisible();
  await expect(main(page).getByText('private/office').first()).toBeVisible({ timeout: 30_000 });
  await expect(main(page).getByText('Up', { exact: true }).first()).toBeVisible({ timeout: 30_000 });
  expect(target.requests.length).toBeGreaterThan(0);

  await page.goto(`${product.url}/settings/agents`);
  await running(page);
  await page.getByRole('button', { name: 'Revoke Server room' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('stop at once');
  await look(page);
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await expect(page.getByText('No agent tokens yet')).toBeVisible();
  expect(await agent.exited).toBe(1);
  expect(agent.logs()).toContain('This agent token is invalid or was revoked.');
  agent = undefined;
  expect(found).toEqual([]);
});
