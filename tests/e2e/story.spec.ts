import { expect, type Page } from 'playwright/test';
import { Webhook } from 'standardwebhooks';
import { complaints, look } from '@/tests/support/page';
import type { Product } from '@/tests/support/product';
import { type HttpReceiver, startHttpReceiver } from '@/tests/support/receivers';
import { test } from '@/tests/support/shared-product';

// The main job of the product: a browser, a real target, a real receiver.

let product: Product;
let target: HttpReceiver;
let receiver: HttpReceiver;

test.beforeAll(async ({ sharedProduct }) => {
  [target, receiver] = await Promise.all([startHttpReceiver(), startHttpReceiver()]);
  product = sharedProduct;
});

test.afterAll(async () => {
  await Promise.all([target?.close(), receiver?.close()]);
});

async function verdict(page: Page, words: RegExp, timeout = 20_000): Promise<void> {
  await expect(page.getByRole('main').getByText(words).first()).toBeVisible({ timeout });
}

test('a new user signs up, creates a monitor, and sees it fail and recover', async ({ page }) => {
  test.setTimeout(240_000);
  const errors = complaints(page);

  await page.goto(product.url);
  await look(page);
  await page.getByRole('link', { name: 'Create an account' }).click();
  await look(page);
  await page.getByLabel('Email').fill('story@example.test');
  await page.getByLabel('Password').fill('a long enough password');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/monitors');
  await look(page);

  await page.getByRole('link', { name: 'Channels' }).first().click();
  await page.getByRole('link', { name: 'New channel' }).first().click();
  await expect(page.getByRole('heading', { name: 'New channel' })).toBeVisible();
  await look(page);
  await page.getByLabel('Search channel types').fill('signed');
  await page.getByRole('link', { name: 'Webhook Signed JSON' }).click();
  await expect(page.getByLabel('Signing secret')).toBeVisible();
  await look(page);
  await page.getByLabel('Name').fill('Receiver');
  await page.getByLabel('URL').fill(`${receiver.url}/hook`);
  await page.getByRole('button', { name: 'Create channel' }).click();
  const secret = (
    (await page
      .getByText(/^whsec_/)
      .first()
      .textContent()) ?? ''
  ).trim();
  await page.getByRole('link', { name: 'Go to the channel' }).click();
  await page.getByRole('button', { name: 'Send test' }).click();
  await receiver.waitFor(1);
  await verdict(page, /Delivered/);
  await expect(page.getByText(secret)).toHaveCount(0);
  await look(page);

  await page.getByRole('link', { name: 'Monitors' }).first().click();
  await page.getByRole('form', { name: 'First monitor' }).getByLabel('URL').fill(target.url);
  await page.getByRole('button', { name: 'Start monitoring' }).click();
  await page.waitForURL(/\/monitors\/[0-9A-Z]{26}$/);
  await verdict(page, /^Up for/);
  await look(page);

  target.respond(() => ({ status: 503 }));
  await page.getByRole('button', { name: 'Check now' }).click();
  // Confirmed by two rechecks, ten seconds apart, without a reload.
  await verdict(page, /^Down for/, 45_000);
  await verdict(page, /Expected status 200-299, got 503/);
  await expect(page.getByRole('img', { name: /^last 90 days: down on (1 day|2 days), no data before/ })).toBeVisible();
  await look(page);
  const day = page.getByRole('slider', { name: 'Day' });
  await day.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(day).toHaveAttribute('aria-valuetext', /: Down \d+ s/);
  await look(page);
  await page.keyboard.press('Enter');
  await page.waitForURL(/tab=incidents&day=\d{4}-\d\d-\d\d$/);
  await expect(page.getByRole('table', { name: 'Incidents' }).getByRole('link')).toHaveCount(1);
  await look(page);
  await page.goBack();
  await page.getByRole('link', { name: 'View incident' }).click();
  await page.waitForURL(/\/incidents\/[0-9A-Z]{26}$/);
  await verdict(page, /Incident opened/);
  await verdict(page, /Delivered/);
  const timeToNotify = page.getByRole('definition').filter({ hasText: 'first failure to first notification' });
  await expect(timeToNotify).toHaveText(/^\d/);
  await expect(page.getByRole('definition').filter({ hasText: 'Not acknowledged yet' })).toHaveText(/^–/);
  await look(page);

  await test.step('the incident shows what its checks saw, and what changed', async () => {
    await expect(
      page.getByRole('table', { name: 'What changed' }).getByRole('row', { name: 'Status code 200 503' }),
    ).toBeVisible();
    const attempts = page.getByRole('button', { name: /Down.*HTTP\/1\.1 503 Service Unavailable/ });
    // A regular check may fall between the rechecks.
    await expect(attempts.nth(2)).toBeVisible();
    // The first one is open.
    await expect(page.getByText('GET / HTTP/1.1')).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: /^Failed:status 200-299503$/ })).toBeVisible();
    await look(page);
    await attempts.first().focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText('GET / HTTP/1.1')).toBeHidden();
  });

  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(page.getByText('Acknowledged. 1 notification is queued.')).toBeVisible();

  target.respond(() => ({ status: 200 }));
  const incident = page.url();
  await page.goBack();
  await page.getByRole('button', { name: 'Check now' }).click();
  await verdict(page, /^Up for/, 60_000);
  await page.goto(incident);
  await verdict(page, /Incident resolved|Resolved/);
  await receiver.waitFor(4);

  const verifier = new Webhook(secret);
  const types = receiver.requests.map(({ body, headers }) => {
    return (verifier.verify(body, headers as Record<string, string>) as { type: string }).type;
  });
  expect(types).toEqual(['channel.test', 'incident.opened', 'incident.acknowledged', 'incident.resolved']);
  expect(errors).toEqual([]);
});

test('the server renders times in the time zone of the browser, so that they do not change when the page starts', async ({
  browser,
  request,
}) => {
  const account = { email: 'tokyo@example.test', password: 'a long enough password' };
  const { accessToken } = await (await request.post(`${product.url}/auth/signup`, { data: account })).json();
  await request.post(`${product.url}/api/v1/incidents`, {
    headers: { authorization: `Bearer ${accessToken}` },
    data: { title: 'Orders are late' },
  });
  const page = await (await browser.newContext({ timezoneId: 'Asia/Tokyo' })).newPage();
  await page.goto(`${product.url}/login`);
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/monitors');
  const rendered = await (await page.request.get(`${product.url}/incidents`)).text();
  const titles = [...rendered.matchAll(/<time [^>]*title="([^"]+)"/g)].map(([, title]) => title);
  expect(titles).not.toEqual([]);
  for (const title of titles) expect(title).toMatch(/ GMT\+9$/);
});

test('a change made elsewhere appears without reloading', async ({ page, request }) => {
  test.setTimeout(60_000);
  const account = { email: 'live@example.test', password: 'a long enough password' };
  const { accessToken } = await (await request.post(`${product.url}/auth/signup`, { data: account })).json();
  await page.goto(`${product.url}/login`);
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/monitors');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await request.post(`${product.url}/api/v1/monitors`, {
    headers: { authorization: `Bearer ${accessToken}` },
    data: { type: 'http', name: 'Made by a script', config: { url: target.url } },
  });
  await expect(page.getByRole('link', { name: 'Made by a script' })).toBeVisible();
  await expect(page.getByRole('main').getByText('Up', { exact: true }).first()).toBeVisible();

  await test.step('the back button clears the status filter', async () => {
    await page.getByRole('button', { name: /Paused$/ }).click();
    await expect(page.getByText('No matching monitors')).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('link', { name: 'Made by a script' })).toBeVisible();
  });

  await test.step('no status is truncated between phone and desktop, as at 200 % zoom', async () => {
    for (const width of [390, 640, 700, 899, 900]) {
      await page.setViewportSize({ width, height: 800 });
      for (const tile of await page.getByRole('group', { name: 'Monitors by status' }).getByRole('button').all()) {
        expect(await tile.evaluate((node) => node.scrollWidth <= node.clientWidth), `${width}`).toBe(true);
      }
    }
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  await test.step('single-key shortcuts act on the displayed monitor', async () => {
    await page.getByRole('link', { name: 'Made by a script' }).click();
    await page.waitForURL(/\/monitors\/[0-9A-Z]{26}$/);
    await expect(page.getByText('No alert channels yet.')).toBeVisible();
    await page.keyboard.press('p');
    await expect(page.getByText(/^Paused for/)).toBeVisible();
    await page.keyboard.press('p');
    await expect(page.getByText(/^Paused for/)).toHaveCount(0);
    await page.keyboard.press('e');
    await page.waitForURL('**/edit');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await expect(page.getByLabel('Rule 1: value')).toBeVisible();
    await expect(page.getByLabel('Rule 1: value')).not.toHaveAttribute('aria-invalid', 'true');
  });
});
