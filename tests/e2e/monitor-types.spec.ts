import { once } from 'node:events';
import http2 from 'node:http2';
import { type AddressInfo, createServer } from 'node:net';
import { expect, type Page } from 'playwright/test';
import { SMTPServer } from 'smtp-server';
import { WebSocketServer } from 'ws';
import type { CheckedType } from '@/server/monitor-types/schema';
import { look, signUpInBrowser } from '@/tests/support/page';
import type { Product } from '@/tests/support/product';
import { type DnsServer, dnsServer } from '@/tests/support/servers/dns-server';
import { test } from '@/tests/support/shared-product';

// Users create monitors of types other than http.

test.use({ actionTimeout: 10_000 });

let product: Product;
let names: DnsServer;
let address = '192.0.2.1';

test.beforeAll(async ({ sharedProduct }) => {
  names = await dnsServer((type, name) => (type === 'A' && name === 'shop.test' ? [address] : 3));
  product = sharedProduct;
});

test.afterAll(async () => {
  await names?.close();
});

const signUp = (page: Page, email: string) => signUpInBrowser(page, product.url, email);

/** Opens the form of a new monitor. It focuses its first field once it runs; a click before that is lost. */
async function openNew(page: Page): Promise<void> {
  await page.goto(`${product.url}/monitors/new`);
  await expect(page.getByLabel('URL', { exact: true })).toBeFocused();
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

const verdict = (page: Page, words: RegExp) =>
  expect(page.getByRole('main').getByText(words).first()).toBeVisible({ timeout: 10_000 });

test('a nightly job is monitored by its pings', async ({ page, request }) => {
  await signUp(page, 'job@example.test');
  await openNew(page);
  await page.getByText('Heartbeat', { exact: true }).click();
  await expect(page.getByLabel('Timeout')).toHaveCount(0);
  await page.getByLabel('Name', { exact: true }).fill('Nightly backup');
  await choose(page, 'Schedule type', 'Cron expression');
  await page.getByLabel('Schedule', { exact: true }).fill('0 3 * *');
  await page.getByRole('button', { name: 'Create monitor' }).click();
  await expect(page.getByText('Enter a cron expression of five fields, such as 0 3 * * 1-5.')).toBeVisible();
  await look(page);
  await page.getByLabel('Schedule', { exact: true }).fill('0 3 * * *');
  await page.getByLabel('Time zone').fill('Europe/Berlin');
  await page.getByRole('button', { name: 'Create monitor' }).click();
  await page.waitForURL(/\/monitors\/[0-9A-Z]{26}$/);

  await verdict(page, /Waiting for the first ping/);
  await expect(page.getByRole('button', { name: 'Check now' })).toHaveCount(0);
  await look(page);
  const command = (await page.getByText(/^curl /).textContent()) ?? '';
  const url = command.split(' ').at(-1) ?? '';

  // No reload from here on.
  expect((await request.get(url)).status()).toBe(200);
  await verdict(page, /^Up for/);
  await request.post(`${url}/2`, { data: 'tar: no space left on device' });
  await verdict(page, /^Down for/);
  await verdict(page, /The job ended with exit code 2/);
  await verdict(page, /tar: no space left on device/);
  await look(page);
  await request.post(url);
  await verdict(page, /^Up for/);

  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(page.getByLabel('Schedule', { exact: true })).toHaveValue('0 3 * * *');
  await choose(page, 'Schedule type', 'Interval');
  await choose(page, 'Ping interval', '1 h');
  await page.getByLabel('Grace period').fill('5 min');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.waitForURL(/\/monitors\/[0-9A-Z]{26}$/);
  await expect(page.getByText('every 1 h')).toBeVisible();
  await expect(page.getByText(/^curl /)).toHaveText(command);
});

test('a DNS record is compared with its expected value', async ({ page }) => {
  await signUp(page, 'dns@example.test');
  await page.goto(`${product.url}/monitors/new?type=dns`);
  await page.getByRole('textbox', { name: 'Domain' }).fill('shop.test');
  await page.getByLabel('Name server').fill(`127.0.0.1:${names.port}`);
  await choose(page, 'Expected records', 'Exactly these');
  await page.getByLabel('Values').fill('192.0.2.1');
  await choose(page, 'Down after', '1 failing check');
  await look(page);
  await page.getByRole('button', { name: 'Create monitor' }).click();
  await page.waitForURL(/\/monitors\/[0-9A-Z]{26}$/);
  await expect(page.getByRole('heading', { name: 'shop.test A' })).toBeVisible();
  await verdict(page, /^Up for/);
  address = '192.0.2.66';
  await page.getByRole('button', { name: 'Check now' }).click();
  await verdict(page, /^Down for/);
  await verdict(page, /Expected A to include "192.0.2.1", got "192.0.2.66"/);
  await look(page);
});

test('every type but domain is checked by the worker, and on demand by the web process', async ({ request }) => {
  const account = { email: 'both@example.test', password: 'a long enough password' };
  const { accessToken } = await (await request.post(`${product.url}/auth/signup`, { data: account })).json();
  const headers = { authorization: `Bearer ${accessToken}` };
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(String(data))));
  const health = http2.createServer();
  health.on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.from([0, 0, 0, 0, 2, 0x08, 1]));
  });
  health.listen(0, '127.0.0.1');
  const mail = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] });
  mail.listen(0, '127.0.0.1');
  const cache = createServer((socket) => socket.on('data', () => socket.write('+PONG\r\n')));
  cache.listen(0, '127.0.0.1');
  await Promise.all([
    once(sockets, 'listening'),
    once(health, 'listening'),
    once(mail.server, 'listening'),
    once(cache, 'listening'),
  ]);
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
  const host = '127.0.0.1';
  const webPort = Number(new URL(product.url).port);
  const configs = {
    http: { url: product.url },
    tcp: { host, port: webPort },
    dns: { host: 'mail.test', recordType: 'MX', resolver: `${host}:${names.port}` },
    tls: { host, port: webPort },
    websocket: { url: `ws://${host}:${portOf(sockets)}`, send: 'x'.repeat(200), expect: 'x'.repeat(200) },
    grpc: { host, port: portOf(health) },
    smtp: { host, port: portOf(mail.server) },
    redis: { host, port: portOf(cache), password: 'cache-password' },
    postgresql: { host, port: portOf(cache), username: 'probe' },
    mysql: { host, port: portOf(mail.server), username: 'probe' },
    mqtt: { host, port: webPort, topic: 'plant/status' },
    ssh: { host, port: portOf(mail.server), timeoutMs: 1_000 },
    mailbox: { host, port: portOf(mail.server), security: 'none' },
    multistep: {
      steps: [
        {
          name: 'Health',
          url: `${product.url}/api/health`,
          extract: [{ name: 'state', expression: '$.status' }],
        },
        { name: 'Page', url: `${product.url}/?state={{state}}` },
      ],
    },
    ping: { host },
    // The product's list of registries is on the internet.
  } satisfies Record<Exclude<CheckedType, 'domain'>, object>;
  // The name does not exist, there is no TLS server, and ping may be missing on this machine: each check fails for its own reason.
  const wanted: Record<keyof typeof configs, RegExp> = {
    http: /^up null$/,
    tcp: /^up null$/,
    dns: /^down The name mail.test does not exist/,
    tls: /^down The port does not support TLS$/,
    websocket: /^up null$/,
    grpc: /^up null$/,
    smtp: /^up null$/,
    redis: /^down Expected a reply of Redis to AUTH/,
    postgresql: /^down Expected a reply of PostgreSQL/,
    mysql: /^down The server sent a packet that MySQL would not send/,
    ssh: /^down Expected the version of an SSH server, got "(220|421) /,
    mailbox: /^down Expected a response of IMAP, got "220 /,
    multistep: /^up null$/,
    mqtt: /^down The (connection was closed|server sent a packet)/,
    ping: /^up null$|^unknown .*ping/,
  };
  try {
    for (const [type, config] of Object.entries(configs) as [keyof typeof configs, object][]) {
      const data = { type, name: type, config: { ...config, confirm: { failures: 1 } } };
      const { monitor } = await (await request.post(`${product.url}/api/v1/monitors`, { headers, data })).json();
      const checks = `${product.url}/api/v1/monitors/${monitor.id}/checks`;
      const byWorker = async () => {
        const [check] = (await (await request.get(checks, { headers })).json()).checks;
        return check ? `${check.status} ${check.error}` : '';
      };
      await expect.poll(byWorker, type).toMatch(wanted[type]);
      const now = await request.post(`${product.url}/dashboard/monitors/${monitor.id}/check`, { headers });
      const { check } = await now.json();
      expect(`${check.status} ${check.error}`, `${type} by the web process`).toMatch(wanted[type]);
    }
  } finally {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
    health.close();
    mail.close();
    cache.close();
  }
});

test('every type has its fields, and each shows its own error', async ({ page }) => {
  await signUp(page, 'types@example.test');
  await openNew(page);
  for (const type of [
    'HTTP',
    'TCP',
    'Ping',
    'DNS',
    'TLS',
    'Domain',
    'WebSocket',
    'gRPC',
    'SMTP',
    'Redis',
    'PostgreSQL',
    'MySQL',
    'MQTT',
    'SSH',
    'IMAP, POP3',
    'Multi-step',
    'Heartbeat',
  ]) {
    await page.getByText(type, { exact: true }).click();
    await expect(page.getByRole('radio')).toHaveCount(0);
    await expect(page.locator('form input:focus')).toHaveCount(1);
    await page.getByRole('button', { name: 'Create monitor' }).click();
    await expect(page.locator('[aria-invalid=true]').first()).toBeVisible();
    await look(page);
    await page.getByRole('button', { name: 'Change monitor type' }).press('Enter');
    await expect(page.locator('input[type=radio]:checked')).toBeFocused();
  }
});

test('a check is tried before the monitor is saved, and a value of its response becomes a rule', async ({ page }) => {
  await signUp(page, 'try@example.test');
  await openNew(page);
  const panel = page.getByRole('region', { name: 'Try it' });
  // The panel is loaded on its own and may run after the form.
  await expect(async () => {
    await panel.getByRole('button', { name: 'Run check' }).click();
    await expect(panel.getByRole('alert')).toHaveText('Correct the marked fields first.', { timeout: 2_000 });
  }).toPass();
  await expect(page.getByLabel('URL', { exact: true })).toBeFocused();
  await page.getByLabel('URL', { exact: true }).fill(`${product.url}/api/health`);
  await panel.getByRole('button', { name: 'Run check' }).press('Enter');
  await expect(panel.getByRole('status')).toContainText('1 rule passed');
  await expect(panel.getByText('GET /api/health HTTP/1.1')).toBeVisible();
  await look(page);
  await panel.getByRole('button', { name: /^Add rule for \$\.status/ }).press('Enter');
  const rules = page.getByRole('list', { name: 'Rules' });
  await expect(rules.getByLabel('Rule 1: path')).toHaveValue('$.status');
  await rules.getByLabel('Rule 1: value').fill('another');
  await panel.getByRole('button', { name: 'Run again' }).press('Enter');
  await expect(panel.getByRole('status')).toContainText('1 of 2 rules failed');
  await look(page);
  await page.getByRole('button', { name: 'Create monitor' }).click();
  await page.waitForURL(/\/monitors\/[0-9A-Z]{26}$/);
  await page.getByRole('link', { name: 'Edit' }).click();
  await panel.getByRole('button', { name: 'Run check' }).click();
  await expect(panel.getByRole('status')).toContainText('1 of 2 rules failed');
});

test('missing values are reported at their fields, and the first one has the focus', async ({ page }) => {
  await signUp(page, 'missing@example.test');
  await openNew(page);
  const create = page.getByRole('button', { name: 'Create monitor' });
  await create.click();
  await expect(page.getByText('Enter a URL.')).toBeVisible();
  await expect(page.getByLabel('URL', { exact: true })).toBeFocused();
  await page.getByText('TCP', { exact: true }).click();
  await create.click();
  await expect(page.getByText('Enter a host name or IP address.')).toBeVisible();
  await expect(page.getByLabel('Host', { exact: true })).toBeFocused();
  await page.getByLabel('Host', { exact: true }).fill('127.0.0.1');
  await page.getByLabel('Port', { exact: true }).fill('1');
  await page.getByLabel('Name', { exact: true }).fill('Closed');
  await page.getByRole('button', { name: 'Confirmation, external ID' }).click();
  await page.getByLabel(/^Retry delay/).fill('an hour');
  await page.getByRole('button', { name: 'Confirmation, external ID' }).click();
  await create.click();
  await expect(page.getByLabel(/^Retry delay/)).toBeFocused();
  await look(page);
});
