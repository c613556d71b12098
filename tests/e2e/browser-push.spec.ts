import { type BrowserContext, expect, type Page } from 'playwright/test';
import { complaints, look, signUpInBrowser } from '@/tests/support/page';
import type { Product } from '@/tests/support/product';
import { newPushBrowser } from '@/tests/support/push-browser';
import { type HttpReceiver, startHttpReceiver } from '@/tests/support/receivers';
import { test } from '@/tests/support/shared-product';

// Browser push from the permission to the click. Only the push service of the browser's vendor is a stand-in, over loopback: what it gets is decrypted
// as the browser would, and given to the real service worker.

let product: Product;
let service: HttpReceiver;

test.beforeAll(async ({ sharedProduct }) => {
  service = await startHttpReceiver();
  service.respond(() => ({ status: 201 }));
  product = sharedProduct;
});

test.afterAll(async () => {
  await service?.close();
});

const signUp = (page: Page, email: string) => signUpInBrowser(page, product.url, email);

/** Answers the page's subscription like the push service, and records the request. */
async function subscribeWith(page: Page, keys: object): Promise<void> {
  const subscription = { endpoint: `${service.url}/push/robin`, expirationTime: null, keys };
  await page.addInitScript((made) => {
    PushManager.prototype.subscribe = async function subscribe(options) {
      Object.assign(window, { wanted: options });
      return { toJSON: () => made } as unknown as PushSubscription;
    };
  }, subscription);
}

/** Delivers a push message to the service worker, through the developer tools. */
async function newDelivery(context: BrowserContext, page: Page): Promise<(data: string) => Promise<void>> {
  const cdp = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  const registrationId = await registered;
  return async (data) => {
    await cdp.send('ServiceWorker.deliverPushMessage', { origin: product.url, registrationId, data });
  };
}

/** The notifications that the browser shows, by title. */
const shownIn = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    return (await registration.getNotifications()).map(({ title }) => title);
  });

/**
 * Clicks the notification with this title, or its button, and returns the page that opens. The event is made by a script, which may neither open a
 * window nor extend the life of the worker: both are noted instead.
 */
async function click(context: BrowserContext, title: string, action = ''): Promise<string> {
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('There is no service worker.');
  const opened = await worker.evaluate(
    async ([wanted, button]) => {
      // biome-ignore lint/suspicious/noExplicitAny: the types of a worker are not those of this project.
      const scope = globalThis as any;
      const shown: { title: string }[] = await scope.registration.getNotifications();
      const notification = shown.find((each) => each.title === wanted);
      const urls: string[] = [];
      const work: Promise<unknown>[] = [];
      scope.ExtendableEvent.prototype.waitUntil = (promise: Promise<unknown>) => work.push(promise);
      scope.clients.openWindow = async (url: string) => urls.push(url);
      scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification, action: button }));
      await Promise.all(work);
      return urls;
    },
    [title, action],
  );
  return opened[0] ?? '';
}

test('a browser subscribes, is tested before it is saved, and shows an incident that a click opens', async ({
  page,
  context,
}) => {
  const wrong = complaints(page);
  const browser = newPushBrowser();
  await context.grantPermissions(['notifications'], { origin: product.url });
  await subscribeWith(page, browser.keys);
  await signUp(page, 'push@example.test');
  await page.goto(`${product.url}/channels/new?type=web_push`);
  await page.getByLabel('Name').fill('My laptop');
  await page.getByRole('button', { name: 'Use this browser' }).click();
  await expect(page.getByLabel('Browser')).toHaveValue(/Chrom/);

  const { publicKey } = await (await page.request.get(`${product.url}/dashboard/push-key`)).json();
  const wanted = await page.evaluate(() => (window as unknown as { wanted: object }).wanted);
  expect(wanted).toEqual({ userVisibleOnly: true, applicationServerKey: publicKey });
  expect(context.serviceWorkers().map((worker) => worker.url())).toEqual([`${product.url}/push-worker.js`]);

  await page.getByRole('button', { name: 'Send test' }).click();
  await expect(page.getByText(/^Delivered in/)).toBeVisible();
  await look(page);
  const deliver = await newDelivery(context, page);
  const deliverSent = async (count: number) => {
    const sent = (await service.waitFor(count, 60_000))[count - 1];
    await deliver(browser.decrypt(sent?.bytes ?? Buffer.alloc(0)));
  };
  await deliverSent(1);
  await expect.poll(() => shownIn(page)).toEqual(['Test message from Upwatch']);

  await page.getByRole('button', { name: 'Create channel' }).click();
  await expect(page.getByRole('heading', { name: 'My laptop' })).toBeVisible();
  await look(page);

  await page.goto(`${product.url}/incidents/new`);
  await page.getByRole('textbox', { name: 'Title' }).fill('Payments are late');
  await page.getByRole('button', { name: 'Create incident' }).click();
  await page.waitForURL(/\/incidents\/[0-9A-Z]{26}$/);
  const incidentUrl = page.url();
  await deliverSent(2);
  const title = 'Incident: Payments are late';
  await expect.poll(() => shownIn(page)).toContain(title);
  const acknowledgeUrl = await click(context, title, 'acknowledge');
  expect(await shownIn(page)).not.toContain(title);
  await deliverSent(2);
  await expect.poll(() => shownIn(page)).toContain(title);
  await page.goto(`${product.url}/monitors`);
  expect(await click(context, title)).toBe(incidentUrl);

  await page.goto(acknowledgeUrl);
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(page.getByText(/acknowledged/i).first()).toBeVisible();
  expect(wrong).toEqual([]);
});

test('a browser without permission says how to allow notifications', async ({ page }) => {
  await signUp(page, 'no-push@example.test');
  await page.goto(`${product.url}/channels/new?type=web_push`);
  await page.getByRole('button', { name: 'Send test' }).click();
  await expect(page.getByText('Choose “Use this browser”.')).toBeVisible();
  await page.getByRole('button', { name: 'Use this browser' }).click();
  await expect(page.getByText(/^Notifications are blocked/)).toBeVisible();
  await look(page);
});
