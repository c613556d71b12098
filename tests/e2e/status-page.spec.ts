import { type Browser, expect, type Page } from 'playwright/test';
import { look, running, violations } from '@/tests/support/page';
import type { Product } from '@/tests/support/product';
import { type HttpReceiver, startHttpReceiver } from '@/tests/support/receivers';
import { test } from '@/tests/support/shared-product';

// A status page as the team edits it and as its customers see it.

const EVIL = `<script>alert(1)</script>&"'`;
const account = { email: 'pages@example.test', password: 'a long enough password' };
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

let product: Product;
let target: HttpReceiver;

async function post(path: string, body: unknown, token?: string) {
  const response = await fetch(product.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`POST ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

test.beforeAll(async ({ sharedProduct }) => {
  target = await startHttpReceiver();
  product = sharedProduct;
  const { accessToken } = await post('/auth/signup', account);
  for (const [name, url] of [
    ['Checkout', `${target.url}/secret-path?token=secret-query`],
    ['Search', target.url],
    [EVIL, target.url],
  ]) {
    await post('/dashboard/monitors', { type: 'http', name, config: { url }, intervalSeconds: 5 }, accessToken);
  }
});

test.afterAll(async () => {
  await target?.close();
});

/** Problems in a page: errors, policy violations, and dialogs, which nothing here opens. */
function watch(page: Page): string[] {
  const wrong: string[] = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') wrong.push(`${message.text()} ${message.location().url}`);
  });
  page.on('dialog', (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return wrong;
}

async function visitor(browser: Browser, options: Parameters<Browser['newContext']>[0] = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  return { page, wrong: watch(page) };
}

const orderOf = (page: Page) => page.getByRole('main').getByRole('heading', { level: 3 }).allTextContents();

test('a status page is created, edited, hidden and deleted', async ({ page, browser }) => {
  test.setTimeout(240_000);
  const wrong = watch(page);
  await page.goto(`${product.url}/login?next=/status-pages`);
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/status-pages');
  await expect(page.getByText('No status pages yet')).toBeVisible();
  await look(page);

  await page.getByRole('link', { name: 'New status page' }).click();
  await page.getByLabel('Title').fill('Northwind Cloud');
  await expect(page.getByRole('textbox', { name: 'URL' })).toHaveValue('northwind-cloud');
  await expect(page.getByText('/status/northwind-cloud is available.')).toBeVisible();
  await page.getByRole('textbox', { name: 'URL' }).fill('api');
  await expect(page.getByText('This word is reserved.')).toBeVisible();
  await page.getByRole('textbox', { name: 'URL' }).fill('northwind');
  await expect(page.getByText('/status/northwind is available.')).toBeVisible();
  for (const name of ['Checkout', 'Search', EVIL]) {
    await page.getByRole('list', { name: 'Monitors to add' }).getByRole('button', { name }).click();
  }
  await page.getByLabel('Display name of Search').fill('Product search');
  await page.getByRole('button', { name: 'Move Search up' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Move Search up' })).toBeFocused();
  await look(page);
  await page.getByRole('button', { name: 'Create status page' }).click();
  await page.waitForURL(/\/status-pages\/[0-9A-Z]{26}$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Northwind Cloud' })).toBeVisible();
  await look(page);

  const publicUrl = `${product.url}/status/northwind`;
  const customer = await visitor(browser);
  const response = await customer.page.goto(publicUrl);
  const policy = response?.headers()['content-security-policy'] ?? '';
  expect(policy).toMatch(/script-src 'self' 'sha256-[^']+';/);
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  await expect(customer.page.getByRole('heading', { level: 1, name: 'All systems operational' })).toBeVisible();
  expect(await orderOf(customer.page)).toEqual(['Product search', 'Checkout', EVIL]);
  await look(customer.page);

  await test.step('a change shows on an open page without a reload', async () => {
    await page.getByLabel('Title').fill('Northwind & Sons');
    await page.getByLabel('Description').fill('Shops and mail.');
    await page.getByRole('button', { name: 'Move Checkout up' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Saved Northwind & Sons')).toBeVisible();
    await expect(customer.page.getByText('Northwind & Sons', { exact: true })).toBeVisible();
    await expect(customer.page.getByText('Shops and mail.')).toBeVisible();
    expect(await orderOf(customer.page)).toEqual(['Checkout', 'Product search', EVIL]);
  });

  await test.step('a component without a monitor follows the incidents that name it', async () => {
    await page.getByRole('button', { name: 'Add a component' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Support phone line');
    await page.getByRole('button', { name: 'Add component' }).click();
    await page.getByRole('button', { name: 'Add a component' }).click();
    await page.getByLabel('Name', { exact: true }).fill('SUPPORT phone line');
    await page.getByRole('textbox', { name: 'Description' }).last().fill('Weekdays from 8 to 18');
    await page.getByRole('button', { name: 'Add component' }).click();
    await expect(page.getByText('Another component of this page has this name.')).toBeVisible();
    await page.getByLabel('Name', { exact: true }).fill('Bank');
    await look(page);
    await page.getByRole('button', { name: 'Add component' }).click();
    await expect(page.getByRole('button', { name: 'Edit Bank' })).toBeVisible();
    await page.getByRole('button', { name: 'Move Bank up' }).click();
    await page.getByRole('button', { name: 'Move Bank up' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect
      .poll(() => orderOf(customer.page))
      .toEqual(['Checkout', 'Product search', 'Bank', EVIL, 'Support phone line']);
    await expect(customer.page.getByText('Weekdays from 8 to 18')).toBeVisible();

    const editor = page.url();
    await page.goto(`${product.url}/incidents/new`);
    await page.getByLabel('Title').fill('Payments are late');
    await page.getByRole('list', { name: 'Available components' }).getByRole('button', { name: 'Bank' }).click();
    await expect(page.getByRole('list', { name: 'Selected components' })).toContainText('Bank');
    await look(page);
    await page.getByRole('button', { name: 'Create incident' }).click();
    await page.waitForURL(/\/incidents\/[0-9A-Z]{26}$/);
    await expect(page.getByRole('link', { name: 'Bank' })).toBeVisible();
    await running(page);
    await page.getByRole('textbox', { name: 'Note' }).focus();
    await expect(page.getByText('Show on status pages')).toBeVisible();
    await look(page);
    await expect(customer.page.getByRole('heading', { level: 1, name: 'Bank is down' })).toBeVisible();
    await expect(customer.page.getByRole('heading', { level: 2, name: 'Payments are late' })).toBeVisible();
    await page.getByRole('link', { name: 'Incidents', exact: true }).first().click();
    await expect(page.getByText('Affects Bank.')).toBeVisible();

    await page.goto(editor);
    await page.getByRole('button', { name: 'Delete Bank' }).click();
    await expect(
      page.getByText('It is removed from an incident, which is kept: “Payments are late” (open).'),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Delete component' }).click();
    await expect(page.getByText('Deleted Bank')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add a component' })).toBeFocused();
    await expect(page.getByRole('button', { name: 'Edit Bank' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Delete Support phone line' }).click();
    await expect(page.getByText('No incidents are affected.')).toBeVisible();
    await page.getByRole('button', { name: 'Delete component' }).click();
    await expect.poll(() => orderOf(customer.page)).toEqual(['Checkout', 'Product search', EVIL]);
    await expect(customer.page.getByRole('heading', { level: 1, name: 'All systems operational' })).toBeVisible();
  });

  await test.step('an outage is shown without internal details', async () => {
    target.respond(() => ({ status: 503, body: 'secret-body' }));
    await expect(customer.page.getByRole('heading', { level: 1, name: 'All services are down' })).toBeVisible({
      timeout: 30_000,
    });
    await expect(customer.page.getByRole('heading', { level: 2, name: 'Checkout is down' })).toBeVisible();
    await look(customer.page);
    const paths = ['', '/feed.atom', '/feed.rss', '/badge.svg', '/api/v2/summary.json', '/version'];
    for (const path of paths) {
      const text = await (await fetch(publicUrl + path)).text();
      for (const word of ['secret', 'status 200', 'got 503', new URL(target.url).host, account.email]) {
        expect(text).not.toContain(word);
      }
    }
  });

  await test.step('a day of a bar shows its details on hover and by keyboard', async () => {
    const bar = customer.page.getByRole('slider', { name: /^Checkout, last 90 days: down on 1 day/ });
    await bar.hover({ position: { x: ((await bar.boundingBox())?.width ?? 0) - 2, y: 10 } });
    const box = customer.page.locator('.tip');
    await expect(box.getByText('Major outage', { exact: true })).toBeVisible();
    await bar.focus();
    await customer.page.keyboard.press('Home');
    await expect(bar).toHaveAttribute('aria-valuetext', /: no data$/);
    await customer.page.keyboard.press('End');
    await customer.page.keyboard.press('Enter');
    await expect(bar).toHaveAttribute('aria-valuetext', /: major outage .*, uptime .*, 1 incident$/);
    await expect(box.getByRole('link', { name: 'Checkout is down' })).toHaveAttribute('href', /^#incident-/);
    expect(await violations(customer.page)).toEqual([]);
    await customer.page.keyboard.press('Escape');
    await expect(box).toHaveCount(0);
    await expect(bar).toBeFocused();
  });

  await test.step('feeds are valid XML, and names are escaped', async () => {
    for (const feed of ['feed.atom', 'feed.rss', 'badge.svg']) {
      const text = await (await fetch(`${publicUrl}/${feed}`)).text();
      const found = await customer.page.evaluate((xml) => {
        const parsed = new DOMParser().parseFromString(xml, 'application/xml');
        return {
          errors: parsed.getElementsByTagName('parsererror').length,
          scripts: parsed.querySelectorAll('script').length,
        };
      }, text);
      expect(found, feed).toEqual({ errors: 0, scripts: 0 });
    }
    const html = await (await fetch(publicUrl)).text();
    expect(html).not.toContain('<script>alert(1)');
  });

  await test.step('the content is the same without JavaScript', async () => {
    const plain = await visitor(browser, { javaScriptEnabled: false });
    await plain.page.goto(publicUrl);
    await expect(plain.page.getByRole('heading', { level: 1, name: 'All services are down' })).toBeVisible();
    expect(await orderOf(plain.page)).toEqual(['Checkout', 'Product search', EVIL]);
    await plain.page.context().close();
  });

  await test.step('a logo is shown', async () => {
    await page
      .getByLabel('Logo file')
      .setInputFiles({ name: 'logo.svg', mimeType: 'image/png', buffer: Buffer.from('<svg/>') });
    await expect(page.getByText('Use a PNG, JPEG or WebP image.')).toBeVisible();
    await page.getByLabel('Logo file').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: PNG });
    await expect(page.getByRole('button', { name: 'Replace logo' })).toBeVisible();
    await expect
      .poll(() =>
        customer.page
          .locator('header img')
          .evaluateAll((all) => all.map((img) => (img as HTMLImageElement).naturalWidth)),
      )
      .toEqual([1]);
    await look(page);
  });

  expect(customer.wrong).toEqual([]);
  await test.step('the policy blocks injected scripts', async () => {
    const ran = await customer.page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.body.append(script);
      return 'ran' in window;
    });
    expect(ran).toBe(false);
    await expect.poll(() => customer.wrong.join()).toContain('Content Security Policy');
  });

  await test.step('a private page is hidden everywhere', async () => {
    await page.getByRole('switch', { name: 'Public: anyone with the link can view this page' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Private', { exact: true })).toBeVisible();
    await expect(customer.page.getByRole('heading', { name: 'Status page not found' })).toBeVisible();
    for (const path of ['', '/feed.atom', '/feed.rss', '/badge.svg', '/api/v2/summary.json', '/logo', '/version']) {
      expect((await fetch(publicUrl + path)).status, path).toBe(404);
    }
    expect(await violations(customer.page)).toEqual([]);
  });

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete status page' }).click();
  await page.waitForURL('**/status-pages');
  await expect(page.getByText('No status pages yet')).toBeVisible();
  expect(wrong.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([]);
});

test('a missing status page shows a notice, without JavaScript too', async ({ page, browser }) => {
  const url = `${product.url}/status/nobody-has-this`;
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  expect((await plain.goto(url))?.status()).toBe(404);
  await expect(plain).toHaveTitle('Status page not found · Upwatch');
  await expect(plain.getByRole('heading', { name: 'Status page not found' })).toBeVisible();
  await context.close();

  const wrong = watch(page);
  expect((await page.goto(url))?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Status page not found' })).toBeVisible();
  await look(page);
  expect(wrong.filter((text) => !text.includes('404 (Not Found)'))).toEqual([]);
});
