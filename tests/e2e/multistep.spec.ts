import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, type Page } from 'playwright/test';
import { look, running, signUpInBrowser } from '@/tests/support/page';
import type { Product } from '@/tests/support/product';
import { test } from '@/tests/support/shared-product';

// Users check a login with several requests.

test.use({ actionTimeout: 10_000 });

const TOKEN = 'token-5c1f0a7be2';
let product: Product;
let shop: Server;
let url = '';

test.beforeAll(async ({ sharedProduct }) => {
  product = sharedProduct;
  shop = createServer((request, response) => {
    if (request.url === '/login') {
      void json(request).then((sent) => {
        const isRight = (sent as { password?: unknown }).password === 'open sesame';
        response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' });
        response.end(isRight ? JSON.stringify({ token: TOKEN }) : '{}');
      });
    } else response.writeHead(request.headers.authorization === `Bearer ${TOKEN}` ? 200 : 403).end('{"items":[]}');
  });
  shop.listen(0, '127.0.0.1');
  await once(shop, 'listening');
  url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
});

test.afterAll(() => {
  shop?.close();
});

const stepOf = (page: Page, number: number) => page.getByRole('group', { name: `Step ${number}`, exact: true });

/** Fills in two steps: the second one sends a value that the first one takes. */
async function fillIn(page: Page): Promise<void> {
  await page.goto(`${product.url}/monitors/new?type=multistep`);
  await running(page);
  const first = stepOf(page, 1);
  await first.getByLabel('Step name').fill('Log in');
  await first.getByLabel('Method of step 1').click();
  await page.getByRole('option', { name: 'POST', exact: true }).click();
  await first.getByLabel('URL', { exact: true }).fill(`${url}/login`);
  await first.getByRole('button', { name: 'Headers, body, status codes of step 1' }).press('Enter');
  await first.getByRole('textbox', { name: 'Body' }).fill('{"password": "{{password}}"}');
  await first.getByRole('button', { name: 'Add value' }).press('Enter');
  await first.getByLabel('Value 1 of step 1: name').fill('token');
  await first.getByLabel('Value 1 of step 1: expression').fill('$.token');
  await page.getByRole('button', { name: 'Add variable' }).press('Enter');
  await page.getByLabel('Variable 1', { exact: true }).fill('password');
  await page.getByLabel('Variable 1, value').fill('open sesame');
  await page.getByRole('button', { name: 'Add step' }).press('Enter');
  const second = stepOf(page, 2);
  await second.getByLabel('Step name').fill('Open the cart');
  await second.getByLabel('URL', { exact: true }).fill(`${url}/cart`);
  await second.getByRole('button', { name: 'Headers, body, status codes of step 2' }).press('Enter');
  await second.getByRole('button', { name: 'Add header' }).press('Enter');
  await second.getByLabel('Header 1 of step 2', { exact: true }).fill('authorization');
  await second.getByLabel('Header 1 of step 2, value').fill('Bearer {{tokn}}');
}

test('a login is checked in steps, tried before it is saved, and its steps are shown', async ({ page }) => {
  await signUpInBrowser(page, product.url, 'steps@example.test');
  await fillIn(page);
  const create = page.getByRole('button', { name: 'Create monitor' });
  await create.click();
  await expect(stepOf(page, 2).getByText('No earlier step takes a value "tokn"')).toBeVisible();
  await look(page);
  await stepOf(page, 2).getByLabel('Header 1 of step 2, value').fill('Bearer {{token}}');

  const panel = page.getByRole('region', { name: 'Try it' });
  await panel.getByRole('button', { name: 'Run check' }).press('Enter');
  await expect(panel.getByRole('status')).toContainText('3 rules passed');
  await expect(panel.getByText('2. Open the cart')).toBeVisible();
  await panel.getByText('1. Log in').click();
  await expect(panel.getByText('POST /login HTTP/1.1')).toBeVisible();
  await expect(panel.getByText(TOKEN)).toHaveCount(0);
  await look(page);

  await create.click();
  await page.waitForURL(/\/monitors\/[0-9A-Z]{26}$/);
  const steps = page.locator('section', { has: page.getByRole('heading', { name: 'Steps', exact: true }) });
  await expect(async () => {
    await page.reload();
    await expect(steps.getByText('2. Open the cart')).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await look(page);

  await page.getByRole('link', { name: 'Edit' }).click();
  await running(page);
  await expect(page.getByLabel('Variable 1, value')).toHaveValue('••••same');
  await expect(stepOf(page, 2).getByLabel('Header 1 of step 2, value')).toHaveValue('Bearer {{token}}');
  await page.getByLabel('Variable 1, value').fill('a wrong password');
  await panel.getByRole('button', { name: 'Run check' }).press('Enter');
  await expect(panel.getByText('Step 1 "Log in": Expected status 200-299, got 401')).toBeVisible();
  await expect(panel.getByText('not run', { exact: true })).toBeVisible();
});

test('steps move and are removed by keyboard', async ({ page }) => {
  await signUpInBrowser(page, product.url, 'moves@example.test');
  await fillIn(page);
  await page.getByRole('button', { name: 'Move up step 2' }).press('Enter');
  await expect(stepOf(page, 1).getByLabel('Step name')).toHaveValue('Open the cart');
  await expect(stepOf(page, 2).getByRole('textbox', { name: 'Body' })).toHaveValue('{"password": "{{password}}"}');
  await page.getByRole('button', { name: 'Remove step 1' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Add step' })).toBeFocused();
  await expect(stepOf(page, 1).getByLabel('Step name')).toHaveValue('Log in');
  await expect(page.getByRole('button', { name: 'Remove step 1' })).toHaveCount(0);
});
