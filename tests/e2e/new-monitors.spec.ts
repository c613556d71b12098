import { expect } from 'playwright/test';
import { complaints, look, running, signUpInBrowser } from '@/tests/support/page';
import { test } from '@/tests/support/shared-product';

// New monitors from a cURL command and from a list of URLs.

test.use({ actionTimeout: 10_000, viewport: { width: 1280, height: 800 } });

test('a cURL command fills in the form of a new monitor', async ({ page, sharedProduct }) => {
  const wrong = complaints(page);
  await signUpInBrowser(page, sharedProduct.url, 'curl@example.test');
  await page.goto(`${sharedProduct.url}/monitors/new`);
  await running(page);
  await page.getByRole('button', { name: 'Paste a cURL command' }).click({ delay: 100 });
  const command = page.getByRole('textbox', { name: 'Command' });
  await command.fill('wget http://127.0.0.1:9/');
  await page.getByRole('button', { name: 'Fill in the form' }).click();
  await expect(page.getByText('Enter a command that starts with curl.')).toBeVisible();
  await command.fill(
    `curl -X POST 'http://127.0.0.1:9/orders' -H 'Accept: application/json' -u 'kim:s3cret-pass' --proxy http://p:1 -d '{"a":1}'`,
  );
  await page.getByRole('button', { name: 'Fill in the form' }).click();
  const form = page.getByRole('form', { name: 'New monitor' });
  await expect(form.getByRole('status')).toContainText('Not carried over: --proxy.');
  await expect(form.getByLabel('URL', { exact: true })).toHaveValue('http://127.0.0.1:9/orders');
  await expect(form.getByLabel('Password')).toHaveValue('s3cret-pass');
  await expect(form.getByLabel(/^Body/)).toHaveValue('{"a":1}');
  await look(page);
  await form.getByRole('button', { name: 'Create monitor' }).click();
  await page.waitForURL(/\/monitors\/[0-9A-Z]{26}$/);
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const { monitor } = await (await page.request.get(`${sharedProduct.url}/dashboard/monitors/${id}`)).json();
  expect(monitor.config).toMatchObject({ method: 'POST', auth: { kind: 'basic', username: 'kim' } });
  expect(JSON.stringify(monitor)).not.toContain('s3cret-pass');
  expect(wrong).toEqual([]);
});

test('a list of URLs becomes monitors after a preview', async ({ page, sharedProduct }) => {
  const wrong = complaints(page);
  await signUpInBrowser(page, sharedProduct.url, 'urls@example.test');
  const origin = sharedProduct.url;
  const monitor = { type: 'http', name: 'Known', config: { url: 'http://127.0.0.1:9/known' } };
  await page.request.post(`${origin}/dashboard/monitors`, { data: monitor, headers: { origin } });
  await page.goto(`${origin}/monitors/new`);
  await running(page);
  await page.getByRole('link', { name: 'Add several URLs' }).click();
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByText('Enter at least one URL.')).toBeVisible();
  await page
    .getByLabel('URLs')
    .fill('127.0.0.1:9/shop\nhttp://127.0.0.1:9/known\nftp://127.0.0.1\nhttp://127.0.0.1:9/shop');
  await page.getByLabel('Tags').fill('Web,');
  await page.getByRole('button', { name: 'Preview' }).press('Enter');
  await expect(page.getByRole('status').filter({ hasText: '2 lines are skipped' })).toBeVisible();
  await expect(page.getByText('Skipped: Known checks it already')).toBeVisible();
  await look(page);
  const name = page.getByLabel('Name of http://127.0.0.1:9/shop');
  await expect(name).toHaveValue('127.0.0.1:9/shop');
  await name.fill('');
  await page.getByRole('button', { name: 'Create 1 monitor' }).click();
  await expect(page.getByText('Enter a name.')).toBeVisible();
  await name.fill('Shop');
  await page.getByRole('button', { name: 'Create 1 monitor' }).click();
  await page.waitForURL(/\/monitors$/);
  const row = page.getByRole('row').filter({ hasText: 'Shop' });
  await expect(row).toContainText('web');
  // The server refuses the empty name.
  expect(wrong.filter((each) => !each.includes('400'))).toEqual([]);
});
