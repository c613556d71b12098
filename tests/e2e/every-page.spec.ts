import { expect, type Page } from 'playwright/test';
import { everyPage } from '@/tests/support/every-page';
import { complaints, lookWithAxe, watchLayoutShift } from '@/tests/support/page';
import { type Product, startProduct } from '@/tests/support/product';
import { test } from '@/tests/support/shared-product';

// On every page, the content security policy runs our scripts and no injected ones, axe finds nothing, and the page fits on a phone.

/** The maximum cumulative layout shift of a page. */
const MOST_SHIFT = 0.02;

const LOGIN = { email: 'robin@example.test', password: 'a long enough password' };
let product: Product;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  product = await startProduct({ env: { ALLOW_PRIVATE_TARGETS: 'true' } });
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

test('every page runs no injected script, has no axe violation, fits on a phone and does not move while it loads', async ({
  page,
}) => {
  test.setTimeout(600_000);
  const wrong = complaints(page);
  const nonces = new Set<string>();
  await page.goto(`${product.url}/signup`);
  await page.getByLabel('Email').fill(LOGIN.email);
  await page.getByLabel('Password').fill(LOGIN.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/monitors');
  const paths = await everyPage(product.url, LOGIN);
  const layoutShift = await watchLayoutShift(page);
  const shifts: Record<string, number> = {};
  for (const path of paths) {
    const response = await page.goto(product.url + path);
    const policy = (await response?.headerValue('content-security-policy')) ?? '';
    // Status pages are made for all visitors: their scripts are named by their hashes.
    if (path.startsWith('/status/')) expect(policy, path).toMatch(/script-src 'self' 'sha256-/);
    else nonces.add(/script-src 'self' 'nonce-([^']{20,})';/.exec(policy)?.[1] ?? `none at ${path}`);
    if (path !== '/docs') shifts[path] = await layoutShift();
    if ((shifts[path] ?? 0) > MOST_SHIFT) {
      // A font that arrived late on a loaded machine moves a page once; a fault does each time.
      await page.reload();
      shifts[path] = await layoutShift();
    }
    // docs.spec checks the reference once its viewer has loaded the document.
    if (path !== '/docs') await test.step(`axe at ${path}`, () => lookWithAxe(page));
    const isMissing = response?.status() === 404;
    expect(
      wrong.filter((text) => !(isMissing && text.includes('404 (Not Found)'))),
      path,
    ).toEqual([]);
    expect(await inject(page), path).toBe(false);
    await expect.poll(() => wrong.filter((text) => text.includes('Content Security Policy')).length, path).toBe(2);
    wrong.length = 0;
  }
  expect(Object.entries(shifts).filter(([, value]) => value > MOST_SHIFT)).toEqual([]);
  expect([...nonces].filter((nonce) => nonce.startsWith('none'))).toEqual([]);
  expect(nonces.size).toBe(paths.filter((path) => !path.startsWith('/status/')).length);
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
