import { expect, type Page, test } from 'playwright/test';
import { complaints } from '@/tests/support/page';
import { type Product, startProduct } from '@/tests/support/product';

// The content security policy: our scripts run, injected ones do not.

let product: Product;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  product = await startProduct();
});

test.afterAll(() => product?.stop());

/** Injects a script and an event handler into the page, as an XSS flaw would. Returns whether either ran. */
function inject(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.body.append(script);
    const image = document.createElement('img');
    image.setAttribute('onerror', 'window.ran = true');
    const tried = new Promise((resolve) => image.addEventListener('error', resolve));
    image.src = 'data:,';
    document.body.append(image);
    await tried;
    return 'ran' in window;
  });
}

test('no page of the dashboard, and no public page, runs an injected script', async ({ page }) => {
  const wrong = complaints(page);
  const nonces = new Set<string>();
  await page.goto(`${product.url}/signup`);
  await page.getByLabel('Email').fill('robin@example.test');
  await page.getByLabel('Password').fill('a long enough password');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/monitors');
  const paths = [
    '/signup',
    '/docs',
    '/monitors',
    '/monitors/new',
    '/incidents',
    '/incidents/new',
    '/channels/new',
    '/status-pages/new',
    '/team',
    '/settings',
    '/settings/api-keys',
    '/settings/audit-log',
    '/instance',
    '/instance/users',
    '/instance/workers',
    '/instance/audit',
    '/instance/mail',
    '/',
  ];
  for (const path of paths) {
    const response = await page.goto(product.url + path);
    const policy = (await response?.headerValue('content-security-policy')) ?? '';
    const [, nonce = ''] = /script-src 'self' 'nonce-([^']{20,})';/.exec(policy) ?? [];
    expect(nonce, path).not.toBe('');
    nonces.add(nonce);
    expect(wrong, path).toEqual([]);
    expect(await inject(page), path).toBe(false);
    await expect.poll(() => wrong.filter((text) => text.includes('Content Security Policy')).length, path).toBe(2);
    wrong.length = 0;
  }
  expect(nonces.size).toBe(paths.length);
});

test('responses that are not pages allow no inline script either', async ({ request }) => {
  for (const path of [
    '/api/health',
    '/api/v1/nothing',
    '/dashboard/monitors',
    '/icon.svg',
    '/_next/static/nothing.js',
  ]) {
    const policy = (await request.get(product.url + path)).headers()['content-security-policy'] ?? '';
    expect(policy, path).toMatch(/^default-src 'self'; /);
    expect(policy, path).not.toMatch(/script-src|nonce|default-src[^;]*unsafe/);
  }
});

test('a missing page has a policy of its own too, at any address', async ({ request }) => {
  for (const [path, source] of [
    ['/nothing', 'nonce'],
    ['/status/nothing', 'sha256'],
    ['/status/nothing/logos', 'sha256'],
  ]) {
    const response = await request.get(product.url + path, { headers: { accept: 'text/html' } });
    const policy = response.headers()['content-security-policy'] ?? '';
    expect([response.status(), policy], path).toEqual([404, expect.stringContaining(`script-src 'self' '${source}-`)]);
  }
  const document = await request.get(`${product.url}/status/nothing/api/nothing`);
  expect([document.status(), document.headers()['content-security-policy']]).toEqual([
    404,
    expect.stringMatching(/^default-src 'none'; .*sandbox$/),
  ]);
});
