import { expect } from 'playwright/test';
import { complaints, look, running, signUpInBrowser } from '@/tests/support/page';
import { test } from '@/tests/support/shared-product';

// Moving in from another tool: upload, preview, import, report and undo.

test.use({ viewport: { width: 1280, height: 800 } });

const CONFIG = `
alerting:
  slack: { webhook-url: https://hooks.slack.com/services/T00/B00/secret }
endpoints:
  - name: shop
    group: core
    url: http://127.0.0.1:9/health
    interval: 30s
    conditions: ["[STATUS] == 200", "[BODY].status == UP", "[RESPONSE_TIME] < 300"]
    alerts: [{ type: slack }]
  - { name: gateway, url: "icmp://127.0.0.1", conditions: ["[CONNECTED] == true"], alerts: [{ type: slack }] }
  - { name: box, url: "udp://127.0.0.1:53", conditions: ["[CONNECTED] == true"] }
external-endpoints:
  - { name: nightly, group: jobs, token: potato, heartbeat: { interval: 24h } }
maintenance: { start: "02:00", duration: 30m }
`;

test('a configuration of Gatus is previewed, imported and undone', async ({ page, sharedProduct }) => {
  const { url } = sharedProduct;
  const wrong = complaints(page);
  await signUpInBrowser(page, url, 'gatus@example.test');
  await page.goto(`${url}/monitors/import`);
  await running(page);
  await page.getByRole('radio', { name: 'Gatus' }).check({ force: true });
  const file = { name: 'config.yaml', mimeType: 'application/yaml', buffer: Buffer.from(CONFIG) };
  await page.getByLabel('File', { exact: true }).setInputFiles(file);
  await page.getByRole('button', { name: 'Preview import' }).click();

  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await expect(page.getByRole('heading', { name: 'Not carried over' })).toBeVisible();
  await expect(row('box')).toContainText('UDP is not supported.');
  await expect(row('nightly')).toContainText('It has a new ping URL.');
  await expect(page.locator('main')).not.toContainText('B00/secret');
  await page.getByRole('checkbox', { name: 'Import gateway' }).click();
  await look(page);
  await page.getByRole('button', { name: /^Import \d/ }).click();

  const report = page.getByRole('region', { name: 'Report' });
  await expect(report.getByRole('status')).toHaveText('2 monitors imported', { timeout: 30_000 });
  await look(page);
  const { monitors } = await (await page.request.get(`${url}/dashboard/monitors`)).json();
  const [shop] = monitors.filter(({ name }: { name: string }) => name === 'shop');
  expect(shop).toMatchObject({ type: 'http', isActive: 0, intervalSeconds: 30, tags: ['core'] });
  expect(shop.config).toMatchObject({ expectedStatus: ['200'], confirm: { failures: 3, recoveries: 2 } });
  expect(shop.config.assertions).toHaveLength(2);

  await report.getByRole('button', { name: 'Undo import' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo import' }).click();
  await expect(report.getByRole('status')).toHaveText('The import is undone', { timeout: 30_000 });
  const after = await (await page.request.get(`${url}/dashboard/monitors`)).json();
  expect(after.monitors).toEqual([]);
  expect(wrong).toEqual([]);
});

test('a list from the API of UptimeRobot becomes monitors', async ({ page, sharedProduct }) => {
  const wrong = complaints(page);
  await signUpInBrowser(page, sharedProduct.url, 'uptime-robot@example.test');
  await page.goto(`${sharedProduct.url}/monitors/import`);
  await running(page);
  await page.getByRole('radio', { name: 'UptimeRobot' }).check({ force: true });
  await expect(page.getByText('https://api.uptimerobot.com/v2/getMonitors -o monitors.json')).toBeVisible();
  await look(page);
  const monitors = [
    { id: 1, friendly_name: 'Shop', type: 1, url: 'http://127.0.0.1:9/', status: 2, interval: 60 },
    { id: 2, friendly_name: 'Database', type: 4, sub_type: 99, port: 5432, url: '127.0.0.1', status: 0 },
  ];
  const buffer = Buffer.from(JSON.stringify({ stat: 'ok', monitors }));
  const file = { name: 'monitors.json', mimeType: 'application/json', buffer };
  await page.getByLabel('File', { exact: true }).setInputFiles(file);
  await page.getByRole('button', { name: 'Preview import' }).click();
  await page.getByRole('button', { name: 'Import 2 monitors' }).click();
  const report = page.getByRole('region', { name: 'Report' });
  await expect(report.getByRole('status')).toHaveText('2 monitors imported', { timeout: 30_000 });
  expect(wrong).toEqual([]);
});

test('a file of another tool says what is wrong, and what to choose', async ({ page, sharedProduct }) => {
  await signUpInBrowser(page, sharedProduct.url, 'other-file@example.test');
  await page.goto(`${sharedProduct.url}/monitors/import`);
  await running(page);
  await page.getByRole('radio', { name: 'Gatus' }).check({ force: true });
  const file = { name: 'kuma.db', mimeType: 'application/octet-stream', buffer: Buffer.from('SQLite format 3\0') };
  await page.getByLabel('File', { exact: true }).setInputFiles(file);
  await page.getByRole('button', { name: 'Preview import' }).click();
  await expect(page.getByText('This file is not a configuration of Gatus: it has no endpoints.')).toBeVisible();
});

test('a table is imported by the columns that the user chooses', async ({ page, sharedProduct }) => {
  const { url } = sharedProduct;
  const wrong = complaints(page);
  await signUpInBrowser(page, url, 'table@example.test');
  await page.goto(`${url}/monitors/import`);
  await running(page);
  await page.getByRole('radio', { name: 'CSV' }).check({ force: true });
  const buffer = Buffer.from(
    'Title;Website;Kind;Every\nShop;http://127.0.0.1:9/shop;http;5 min\nDatabase;127.0.0.1:9;tcp;1 h\n',
  );
  await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'table.csv', mimeType: 'text/csv', buffer });
  const column = (setting: string) => page.getByRole('combobox', { name: `Column of ${setting}` });
  await expect(column('Address')).toHaveText('Website');
  await expect(page.getByText('http://127.0.0.1:9/shop')).toBeVisible();
  await expect(column('Interval')).toHaveText('Not in the file');
  const choose = async (setting: string, name: string) => {
    await column(setting).click();
    await page.getByRole('option', { name }).click();
  };
  await choose('Interval', 'Every');
  await choose('Type', 'Kind');
  await look(page);
  await page.getByRole('button', { name: 'Preview import' }).click();
  await page.getByRole('button', { name: 'Import 2 monitors' }).click();
  const report = page.getByRole('region', { name: 'Report' });
  await expect(report.getByRole('status')).toHaveText('2 monitors imported', { timeout: 30_000 });
  const { monitors } = await (await page.request.get(`${url}/dashboard/monitors`)).json();
  const found = Object.fromEntries(monitors.map((each: { name: string }) => [each.name, each]));
  expect(found.Shop).toMatchObject({ type: 'http', intervalSeconds: 300, config: { url: 'http://127.0.0.1:9/shop' } });
  expect(found.Database).toMatchObject({ type: 'tcp', intervalSeconds: 3_600, config: { host: '127.0.0.1', port: 9 } });
  expect(wrong).toEqual([]);
});

test('addresses are pasted, and become a monitor each', async ({ page, sharedProduct }) => {
  const wrong = complaints(page);
  await signUpInBrowser(page, sharedProduct.url, 'pasted@example.test');
  await page.goto(`${sharedProduct.url}/monitors/import`);
  await running(page);
  await page.getByRole('radio', { name: 'URLs' }).check({ force: true });
  await page
    .getByRole('textbox', { name: 'Addresses' })
    .fill('http://127.0.0.1:9/\nhttp://127.0.0.1:9/login\nftp://127.0.0.1/');
  await look(page);
  await page.getByRole('button', { name: 'Preview import' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'type ftp' })).toBeVisible();
  await page.getByRole('button', { name: 'Import 2 monitors' }).click();
  const report = page.getByRole('region', { name: 'Report' });
  await expect(report.getByRole('status')).toHaveText('2 monitors imported', { timeout: 30_000 });
  expect(wrong).toEqual([]);
});
