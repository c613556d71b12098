import { expect } from 'playwright/test';
import { violations } from '@/tests/support/page';
import type { Product } from '@/tests/support/product';
import { test } from '@/tests/support/shared-product';

// The API reference, as a developer uses it.

let product: Product;

test.beforeAll(async ({ sharedProduct }) => {
  product = sharedProduct;
});

// The other two combinations have the same colors and layout.
for (const [scheme, width] of [
  ['light', 1280],
  ['dark', 390],
] as const) {
  test(`shows the API reference, ${scheme}, ${width} px wide`, async ({ browser }) => {
    const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height: 900 } });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(product.url) && !request.url().startsWith('data:')) complaints.push(request.url());
    });
    await page.goto(`${product.url}/`);
    await page.getByRole('link', { name: 'API reference' }).click();
    await expect(page.getByText('Everything in the dashboard is also available through the API')).toBeVisible();
    await page.goto(`${product.url}/docs#?route=post-/api/v1/monitors`);
    await expect(page.getByRole('button', { name: /^Copy Code samples/i }).first()).toBeVisible();
    await expect(page.getByText("-H 'content-type: application/json'").first()).toBeVisible();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(complaints).toEqual([]);
    await context.close();
  });
}

interface Samples {
  tags: string[];
  'x-code-samples': { label: string; source: string }[];
}

test('every operation has curl and JavaScript examples that can be copied by keyboard', async ({ browser }) => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(product.url) && !request.url().startsWith('data:')) elsewhere.push(request.url());
  });
  await page.goto(`${product.url}/docs`);
  // The viewer navigates to an operation only after it has loaded the document.
  await expect(page.getByText('Everything in the dashboard is also available through the API')).toBeVisible();
  const { paths } = (await (await fetch(`${product.url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Samples>>;
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([
        method,
        {
          tags: [tag],
          'x-code-samples': samples,
        },
      ]) => ({ method, path, samples, tag }),
    ),
  );
  expect(operations.length).toBeGreaterThan(60);
  for (const { path, samples } of operations)
    expect(
      samples.map(({ label }) => label),
      path,
    ).toEqual(['curl', 'JavaScript']);
  // All operations use the same template, so one of each section is enough.
  const chosen = [...new Map(operations.map((operation) => [operation.tag, operation])).values()];
  // The viewer changes whitespace, which has no meaning in shell and JavaScript here.
  const words = (text: string) => text.trim().split(/\s+/);
  for (const { method, path, samples } of chosen) {
    await page.goto(`${product.url}/docs#?route=${method}-${path.replace(/[\s#:?&={}-]+/g, '-')}`);
    for (const { label, source } of samples) {
      await page.getByRole('button', { name: label, exact: true }).locator('visible=true').press('Enter');
      await page
        .getByRole('button', { name: /^Copy Code samples/i })
        .locator('visible=true')
        .press('Enter');
      await expect
        .poll(async () => words(await page.evaluate(() => navigator.clipboard.readText())))
        .toEqual(words(source));
    }
  }
  expect(elsewhere).toEqual([]);
  await context.close();
});

test('examples in the API reference can be copied and run on the page', async ({ browser }) => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.goto(`${product.url}/docs#?route=post-/auth/signup`);
  await page.getByRole('button', { name: 'JavaScript', exact: true }).click();
  await page
    .getByRole('button', { name: /^Copy Code samples/i })
    .locator('visible=true')
    .click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`await fetch('${product.url}/auth/signup', {`);
  expect(copied).toContain("method: 'POST'");

  await page.getByRole('button', { name: 'Execute' }).click();
  await expect(page.getByText('accessToken').last()).toBeVisible();
  await expect(page.getByText(/201/).first()).toBeVisible();
  expect(complaints).toEqual([]);
  await context.close();
});
