import { readFileSync } from 'node:fs';
import pg from 'pg';
import { expect, type Page } from 'playwright/test';
import { complaints, look, running, signUpInBrowser, watchLayoutShift } from '@/tests/support/page';
import type { Product } from '@/tests/support/product';
import { test } from '@/tests/support/shared-product';

// A report against an objective, and the zoom of the response time chart.

test.use({ actionTimeout: 10_000, viewport: { width: 1280, height: 800 } });

/** Signs up and creates two monitors with five rolled-up days: Shop was down for ten minutes. */
async function signUp(page: Page, product: Product, email: string): Promise<string> {
  await signUpInBrowser(page, product.url, email);
  const create = async (name: string, tags: string[]) => {
    const data = { type: 'http', name, tags, config: { url: 'http://127.0.0.1:9/' }, intervalSeconds: 3600 };
    const answer = await page.request.post(`${product.url}/dashboard/monitors`, {
      data,
      headers: { origin: product.url },
    });
    return (await answer.json()).monitor.id as string;
  };
  const shop = await create('Shop', ['eu']);
  const blog = await create('Blog', []);
  const client = new pg.Client({ connectionString: product.childEnv.DATABASE_URL });
  await client.connect();
  await client.query(
    `insert into roll_up_mark (id, hour) values (1, floor(extract(epoch from now()) / 3600)::int)
     on conflict (id) do update set hour = excluded.hour`,
  );
  await client.query(
    `insert into check_days (monitor_num, day, checks, latencies, up_ms, down_ms)
     select num, today.day - n, 1440, '\\x'::bytea, 86400000 - down, down
     from monitors, (select floor(extract(epoch from now()) / 86400)::int as day) today, generate_series(2, 6) n,
       lateral (select case when id = $1 and n = 2 then 600000 else 0 end as down) d
     where id = any($2)`,
    [shop, [shop, blog]],
  );
  await client.end();
  return shop;
}

test('a report compares uptime with an objective, and is saved as CSV', async ({ page, sharedProduct }) => {
  const wrong = complaints(page);
  const shift = await watchLayoutShift(page);
  await signUp(page, sharedProduct, 'report@example.test');
  await page.goto(`${sharedProduct.url}/reports`);
  await running(page);
  const table = page.getByRole('table', { name: 'Monitors' });
  await expect(table.getByRole('row').nth(1)).toContainText('Shop');
  expect(await shift()).toBeLessThanOrEqual(0.02);

  await test.step('another objective changes what is met', async () => {
    await expect(table.getByRole('row').filter({ hasText: 'Shop' })).toContainText('exceeded by');
    await page.getByLabel('Objective in %').fill('much');
    await page.getByLabel('Objective in %').press('Enter');
    await expect(page.getByText('Enter 50 to 99.9999, such as 99.95.')).toBeVisible();
    await page.getByLabel('Objective in %').fill('99');
    await page.getByLabel('Objective in %').press('Enter');
    await expect(page).toHaveURL(/objective=99$/);
    await expect(table.getByRole('row').filter({ hasText: 'Shop' })).toContainText('left');
    await look(page);
  });

  await test.step('a tag and chosen monitors narrow it', async () => {
    await page.goto(`${sharedProduct.url}/reports?tag=eu`);
    await running(page);
    await expect(table.getByRole('link')).toHaveText(['Shop']);
    await page.getByRole('button', { name: /Choose monitors/ }).click();
    await page.getByRole('button', { name: /^Add\s*Blog/ }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(table.getByRole('link')).toHaveText(['Blog']);
    await expect(page).toHaveURL(/\?monitors=/);
  });

  await test.step('it is downloaded, and prints without controls', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8').split('\r\n');
    expect(lines.map((line) => line.split(',')[0])).toEqual(['\uFEFFMonitor', 'All monitors', 'Blog', '']);
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('form', { name: 'Report' })).toBeHidden();
    await expect(page.getByRole('button', { name: 'CSV' })).toBeHidden();
    await expect(table).toBeVisible();
  });
  expect(wrong).toEqual([]);
});

test('the chart zooms into a part by mouse and by keyboard, and back', async ({ page, sharedProduct }) => {
  const wrong = complaints(page);
  const shop = await signUp(page, sharedProduct, 'zoom@example.test');
  await page.goto(`${sharedProduct.url}/monitors/${shop}?range=24h`);
  await running(page);
  const chart = page.getByRole('slider', { name: 'Point in time' });
  const reset = page.getByRole('button', { name: 'Reset zoom' });

  await test.step('dragging', async () => {
    const box = await chart.boundingBox();
    if (!box) throw new Error('There is no chart.');
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.25, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, y, { steps: 4 });
    await page.mouse.up();
    await expect(page).toHaveURL(/since=.*until=/);
    const params = new URL(page.url()).searchParams;
    const hours = (Date.parse(params.get('until') ?? '') - Date.parse(params.get('since') ?? '')) / 3_600_000;
    expect(hours).toBeGreaterThan(5);
    // Parts of an hour, both ends included.
    expect(hours).toBeLessThanOrEqual(7);
    await expect(reset).toBeVisible();
    await look(page);
  });

  await test.step('a reload keeps it, and back returns to the range', async () => {
    await page.reload();
    await running(page);
    await expect(reset).toBeVisible();
    await reset.press('Enter');
    await expect(page).toHaveURL(/range=24h$/);
    await page.goBack();
    await expect(reset).toBeVisible();
    await page.goForward();
    await expect(reset).toBeHidden();
  });

  await test.step('the keyboard', async () => {
    await chart.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+ArrowLeft');
    await expect(chart).toHaveAttribute('aria-valuetext', /^From /);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/since=.*until=/);
    await expect(reset).toBeVisible();
  });
  expect(wrong).toEqual([]);
});

test('the chart compares with the span before, and links an outage to its incident', async ({
  page,
  sharedProduct,
}) => {
  const wrong = complaints(page);
  const shop = await signUp(page, sharedProduct, 'compare@example.test');
  const incident = '01M8CQG617NFGH4KHRC0MPARED';
  const client = new pg.Client({ connectionString: sharedProduct.childEnv.DATABASE_URL });
  await client.connect();
  // One response an hour: of 10 ms in the last seven days, and of 5 ms before.
  await client.query(
    `insert into check_hours (monitor_num, hour, checks, latencies)
     select num, now.hour - n, 1, case when n <= 168 then '\\x0a0001'::bytea else '\\x050001'::bytea end
     from monitors, (select floor(extract(epoch from now()) / 3600)::int as hour) now, generate_series(1, 400) n where id = $1`,
    [shop],
  );
  await client.query(
    `insert into status_spans (monitor_num, status, started_at, ended_at)
     select num, 'down', now() - interval '3 days', now() - interval '2 days' from monitors where id = $1`,
    [shop],
  );
  await client.query(
    `insert into incidents (id, team_id, monitor_id, type, status, severity, started_at, resolved_at, updated_at)
     select $1, team_id, id, 'downtime', 'resolved', 'critical', now() - interval '3 days', now() - interval '2 days', now()
     from monitors where id = $2`,
    [incident, shop],
  );
  await client.end();
  await page.goto(`${sharedProduct.url}/monitors/${shop}?range=7d`);
  await running(page);
  const before = page.getByText('previous 7 days 5 ms');
  await expect(before).toHaveCount(0);

  await test.step('a second line, in the URL, by keyboard', async () => {
    await page.getByRole('button', { name: 'Compare with previous period' }).press('Enter');
    await expect(page).toHaveURL(/compare=before/);
    await expect(before).toBeVisible();
    await expect(page.getByRole('img', { name: 'The median was 5 ms in the previous 7 days.' })).toBeVisible();
    const chart = page.getByRole('slider', { name: 'Point in time' });
    await chart.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await expect(chart).toHaveAttribute('aria-valuetext', /10 ms, 5 ms in the previous 7 days$/);
    await look(page);
    await page.reload();
    await running(page);
    await expect(before).toBeVisible();
  });

  await test.step('a column of the table', async () => {
    await page.getByRole('button', { name: 'Table' }).click();
    const table = page.getByRole('region', { name: 'Response time as a table' });
    await expect(table.getByRole('columnheader', { name: 'previous 7 days' })).toBeVisible();
    await expect(table.getByRole('row').nth(2)).toContainText('5 ms');
    await page.getByRole('button', { name: 'Table' }).click();
    await page.getByRole('button', { name: 'Compare with previous period' }).click();
    await expect(page).not.toHaveURL(/compare/);
    await expect(before).toHaveCount(0);
  });

  await page.getByRole('link', { name: /^Down .* to / }).click();
  await page.waitForURL(`**/incidents/${incident}`);
  expect(wrong).toEqual([]);
});

test('the monthly report is switched on by keyboard, without the weekly summary', async ({ page, sharedProduct }) => {
  const wrong = complaints(page);
  await signUpInBrowser(page, sharedProduct.url, 'monthly@example.test');
  await page.goto(`${sharedProduct.url}/settings/account`);
  await running(page);
  const report = page.getByRole('switch', { name: /a report of .* every month/ });
  await expect(report).toBeEnabled();
  await report.press('Space');
  await expect(report).toBeChecked();
  await expect(page.getByText('open the link in the email to monthly@example.test.')).toHaveCount(1);
  await look(page);
  await page.reload();
  await running(page);
  await expect(report).toBeChecked();
  await expect(page.getByRole('switch', { name: /a summary of .* every week/ })).not.toBeChecked();
  await report.press('Space');
  await expect(report).not.toBeChecked();
  expect(wrong).toEqual([]);
});
