import { expect } from 'playwright/test';
import { complaints, look } from '@/tests/support/page';
import type { Product } from '@/tests/support/product';
import { test } from '@/tests/support/shared-product';

// Objects that files in Git describe are marked. An edit warns, and remains possible.

let product: Product;
test.beforeAll(async ({ sharedProduct }) => {
  product = sharedProduct;
});

test('a member sees what Git manages, and is warned before an edit', async ({ page }) => {
  const errors = complaints(page);
  await page.goto(`${product.url}/signup`);
  await page.getByLabel('Email').fill('git@example.test');
  await page.getByLabel('Password').fill('a long enough password');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/monitors');
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`${product.url}${path}`, { headers: { origin: product.url }, data });
    expect(answer.ok()).toBe(true);
    return answer.json();
  };
  const config = { host: '127.0.0.1', port: 9 };
  const managed = { type: 'tcp', name: 'Managed', config, externalId: 'git:main/managed' };
  const { monitor } = await post('/dashboard/monitors', managed);
  const { monitor: own } = await post('/dashboard/monitors', { ...managed, name: 'Own', externalId: 'own' });
  const { channel } = await post('/dashboard/notification-channels', {
    type: 'webhook',
    name: 'Hook',
    config: { url: 'https://hooks.example.test/a' },
    externalId: 'git:main/hook',
  });

  await page.goto(`${product.url}/monitors/${own.id}`);
  await expect(page.getByRole('heading', { name: 'Own' })).toBeVisible();
  await expect(page.getByText('Managed by Git')).toHaveCount(0);
  await page.goto(`${product.url}/monitors/${own.id}/edit`);
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Own');
  await expect(page.getByText('Managed by Git')).toHaveCount(0);

  await page.goto(`${product.url}/monitors/${monitor.id}`);
  await expect(page.getByText('Managed by Git')).toBeVisible();
  await look(page);
  await page.goto(`${product.url}/monitors/${monitor.id}/edit`);
  await expect(page.getByText('The files of the project main describe this as managed.')).toBeVisible();
  await look(page);
  await page.getByLabel('Name', { exact: true }).fill('Renamed');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('heading', { name: 'Renamed' })).toBeVisible();
  await expect(page.getByText('Managed by Git')).toBeVisible();

  await page.goto(`${product.url}/channels/${channel.id}`);
  await expect(page.getByText('The files of the project main describe this as hook.')).toBeVisible();
  await look(page);
  expect(errors).toEqual([]);
});
