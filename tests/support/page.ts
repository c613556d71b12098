import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page, type Request } from 'playwright/test';
import { inNightly } from './nightly';

// Run as a string: some of our pages refuse injected scripts.
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Waits until the page has its title, which is set after the page itself, and until animations and transitions have
 * ended; their intermediate colours are not ours.
 */
async function settled(page: Page): Promise<void> {
  await expect(page).toHaveTitle(/\S/);
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter((each) => each.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/** Signs in without opening a page: forms, which other tests use, would load two of them. */
export async function signInBrowser(
  page: Page,
  url: string,
  { email, password }: { email: string; password: string },
): Promise<void> {
  const { csrfToken } = await (await page.request.get(`${url}/api/auth/csrf`)).json();
  const form = { email, password, csrfToken, json: 'true' };
  await page.request.post(`${url}/api/auth/callback/credentials`, { form, headers: { origin: url }, maxRedirects: 0 });
  const cookies = await page.context().cookies(url);
  expect(cookies.map(({ name }) => name)).toContain('upwatch.session');
}

/** Signs up a new user with their own team, without opening a page. */
export async function signUpInBrowser(page: Page, url: string, email: string): Promise<void> {
  const account = { email, password: 'a long enough password' };
  expect((await page.request.post(`${url}/auth/signup`, { data: account })).status()).toBe(201);
  await signInBrowser(page, url, account);
}

/** Waits until a page of the dashboard runs: a click or key before that is lost. */
export async function running(page: Page): Promise<void> {
  await expect(page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible();
}

/** Waits until the page has its content and is idle. */
async function complete(page: Page): Promise<void> {
  await expect(page.locator('h1').first()).toBeAttached();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await settled(page);
}

/** The violations that axe finds once the page has its content and is idle. */
export async function violations(page: Page): Promise<string[]> {
  await complete(page);
  // Once per document: axe is half a megabyte.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
      };
    };
    // Of passed rules, it describes one element instead of all.
    const found = (await axe.run({ resultTypes: ['violations'] })).violations;
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
  });
}

/**
 * Expects no axe violations, on a desktop in light and on a phone in dark mode, and no sideways scrolling on the phone.
 * The other two combinations have the same colors and layout.
 */
export async function lookWithAxe(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await onPhone(page, async () => expect(await violations(page)).toEqual([]));
  await page.emulateMedia({ colorScheme: null });
}

/**
 * Expects that the page does not scroll sideways on a phone. In nightly runs, also what `lookWithAxe` expects: axe takes most of a test's time, and
 * every-page.spec runs it once over each page.
 */
export const look = inNightly(lookWithAxe, (page: Page) => onPhone(page, async () => undefined));

async function onPhone(page: Page, then: () => Promise<void>): Promise<void> {
  await settled(page);
  const viewport = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  // Charts follow the size of the page a frame later.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await then();
  if (viewport) await page.setViewportSize(viewport);
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
}

/**
 * Watches how far the content of pages that are opened from now on moves without input until it is complete: their cumulative layout shift, of which
 * 0.1 is noticeable.
 * @returns reads it for the present page
 */
export async function watchLayoutShift(page: Page): Promise<() => Promise<number>> {
  const pending = new Set<Request>();
  page.on('request', (request) => request.url().includes('/live.events') || pending.add(request));
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  await page.addInitScript(() => {
    const shifts: LayoutShift[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => shifts.push(...(list.getEntries() as LayoutShift[]))).observe({
      type: 'layout-shift',
      buffered: true,
    });
  });
  return async () => {
    await complete(page);
    await expect.poll(() => pending.size).toBe(0);
    return page.evaluate(() => {
      const { shifts } = window as unknown as { shifts: LayoutShift[] };
      return shifts.filter(({ hadRecentInput }) => !hadRecentInput).reduce((sum, { value }) => sum + value, 0);
    });
  };
}

/** Collects a page's console errors and failed requests. */
export function complaints(page: Page): string[] {
  const found: string[] = [];
  page.on('pageerror', (error) => found.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') found.push(`${message.text()} ${message.location().url}`);
  });
  return found;
}
