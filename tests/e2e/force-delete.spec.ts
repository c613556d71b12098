import { expect } from 'playwright/test';
import { complaints, look } from '@/tests/support/page';
import { type Product, startProduct } from '@/tests/support/product';
import { test } from '@/tests/support/shared-product';

// An administrator deletes all data of a user.

const password = 'a long enough password';

let product: Product;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  product = await startProduct();
});

test.afterAll(async () => {
  await product?.stop();
});

async function signUp(email: string): Promise<{ token: string }> {
  const response = await fetch(`${product.url}/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password, teamName: `Team of ${email.split('@')[0]}` }),
  });
  const { accessToken: token } = (await response.json()) as { accessToken: string };
  return { token };
}

test('an administrator finds a user, force-deletes them and sees the entry in the audit log', async ({ page }) => {
  const found = complaints(page);
  await signUp('ada@example.test');
  const robin = await signUp('robin@example.test');
  const kim = await signUp('kim@example.test');
  const ask = (path: string, { token }: { token: string }, body?: unknown) =>
    fetch(product.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const monitor = { type: 'http', name: 'Shop', config: { url: 'https://northwind.example' } };
  expect((await ask('/dashboard/monitors', robin, monitor)).status).toBe(201);

  await page.goto(`${product.url}/login`);
  await page.getByLabel('Email').fill('ada@example.test');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/monitors');
  await page.getByRole('link', { name: 'Instance' }).first().click();
  await expect(page.getByRole('row')).toHaveCount(4);
  await look(page);
  await page.getByRole('searchbox').fill('ROBIN@');
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByRole('link', { name: 'robin@example.test' }).click();

  const removed = page.getByRole('list', { name: 'Data to be deleted' });
  await expect(removed).toContainText('The team Team of robin');
  await expect(removed).toContainText('1 monitor and its checks');
  await look(page);
  await page.getByRole('button', { name: 'Delete account' }).click();
  await expect(page.getByText('Enter a reason.')).toBeVisible();
  await page.getByLabel('Reason').fill('Asked by mail on Monday.');
  await page.getByLabel('Confirm email address').fill('kim@example.test');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Type robin@example.test to confirm.' })).toBeVisible();
  expect((await ask('/dashboard/me', robin)).status).toBe(200);
  await look(page);
  await page.getByLabel('Confirm email address').fill('robin@example.test');
  await page.getByRole('button', { name: 'Delete account' }).click();

  await expect(page.getByText('robin@example.test and one team deleted.')).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(3);
  await expect(page.getByRole('link', { name: 'robin@example.test' })).toHaveCount(0);
  expect((await ask('/dashboard/me', robin)).status).toBe(401);
  expect((await ask('/dashboard/me', kim)).status).toBe(200);

  await page.getByRole('link', { name: 'Audit log', exact: true }).click();
  const entry = page.getByRole('listitem').filter({ hasText: 'permanently deleted the account robin@example.test' });
  await entry.locator('summary').click();
  await expect(entry).toContainText('Asked by mail on Monday.');
  await expect(entry).toContainText('"status": "done"');
  await look(page);
  expect(found).toEqual([]);
});

test('the last administrator cannot be deleted, and other users do not see the page', async ({ page }) => {
  await page.goto(`${product.url}/login`);
  await page.getByLabel('Email').fill('ada@example.test');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/monitors');
  await page.goto(`${product.url}/instance/users`);
  await page.getByRole('link', { name: 'ada@example.test' }).click();
  await expect(page.getByText('This is the last administrator of the instance.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete account' })).toHaveCount(0);
  await look(page);

  await page.context().clearCookies();
  await page.goto(`${product.url}/login`);
  await page.getByLabel('Email').fill('kim@example.test');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/monitors');
  await expect(page.getByRole('link', { name: 'Instance' })).toHaveCount(0);
  for (const path of ['/instance', '/instance/users', '/instance/audit', '/instance/workers', '/instance/mail']) {
    await page.goto(product.url + path);
    await expect(page.getByRole('link', { name: 'ada@example.test' })).toHaveCount(0);
    await expect(page.getByRole('navigation', { name: 'Instance' })).toHaveCount(0);
  }
});
