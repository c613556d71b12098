import { expect, type Page } from 'playwright/test';
import type { Product } from '@/tests/support/product';
import { test } from '@/tests/support/shared-product';
import { look, signInBrowser } from '../support/page';

// Unsaved changes survive leaving a form, an expired session, a conflicting edit and a lost network.

const account = { email: 'unsaved@example.test', password: 'a long enough password' };

let product: Product;
let token: string;
let channelId: string;

async function api(method: string, path: string, body?: unknown) {
  const response = await fetch(product.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.ok, `${method} ${path}`).toBe(true);
  return response.json();
}

test.beforeAll(async ({ sharedProduct }) => {
  product = sharedProduct;
  token = (await api('POST', '/auth/signup', { ...account, teamName: 'Northwind' })).accessToken;
  const channel = { type: 'webhook', name: 'Pager', config: { url: 'http://127.0.0.1:9/hook' } };
  channelId = (await api('POST', '/dashboard/notification-channels', channel)).channel.id;
});

async function fillSignIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function signIn(page: Page): Promise<void> {
  await signInBrowser(page, product.url, account);
  await page.goto(`${product.url}/monitors`);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
}

async function openChannel(page: Page): Promise<void> {
  await signIn(page);
  await page.getByRole('link', { name: 'Channels' }).first().click();
  await page.getByRole('link', { name: /^Pager|^Hook|^Theirs|^Mine/ }).click();
  await expect(page.getByRole('form', { name: /^Edit / })).toBeVisible();
}

const nameField = (page: Page) => page.getByRole('form', { name: /^Edit / }).getByLabel('Name', { exact: true });
const nameNow = async () => (await api('GET', `/dashboard/notification-channels/${channelId}`)).channel.name;

test('leaving a form with unsaved changes asks for confirmation', async ({ page }) => {
  await openChannel(page);
  await nameField(page).fill('Half a na');
  const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await page.getByRole('link', { name: 'Incidents' }).first().click();
  await expect(dialog).toBeVisible();
  await look(page);
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(nameField(page)).toHaveValue('Half a na');
  await page.getByRole('link', { name: 'Incidents' }).first().click();
  await dialog.getByRole('button', { name: 'Discard changes' }).click();
  await page.waitForURL('**/incidents');
});

test('Back asks before an unsaved incident is lost', async ({ page }) => {
  await signIn(page);
  await page.getByRole('link', { name: 'Incidents' }).first().click();
  await page.getByRole('link', { name: 'New incident' }).click();
  await page.waitForURL('**/incidents/new');
  await expect(page.getByRole('form', { name: 'New incident' })).toBeVisible();
  const title = page.getByRole('textbox', { name: 'Title' });
  const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  // page.goBack() would wait for a navigation that was cancelled.
  const back = () => page.evaluate(() => history.back());
  await title.fill('Payments are l');
  await back();
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(title).toHaveValue('Payments are l');
  expect(page.url()).toContain('/incidents/new');
  await back();
  await dialog.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Incidents' })).toBeVisible();
  await page.goForward();
  await expect(title).toHaveValue('');
  await page.goBack();
  await expect(title).toHaveCount(0);
});

test('account and invitation forms ask before their unsaved changes are lost', async ({ page }) => {
  await signIn(page);
  await page.goto(`${product.url}/settings/account`);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  // Two forms on one page ask only once.
  await page.getByRole('form', { name: 'Profile' }).getByLabel('Name').fill('Robin R');
  await page.getByRole('form', { name: 'Change password' }).getByLabel('Current password').fill('half a pass');
  await page.getByRole('link', { name: 'Team' }).first().click();
  await dialog.getByRole('button', { name: 'Discard changes' }).click();
  await page.waitForURL('**/team');
  await expect(dialog).toHaveCount(0);

  await page.getByRole('button', { name: 'Invite member' }).click();
  const form = page.getByRole('form', { name: 'Invite member' });
  await form.getByLabel('Email').fill('new@northwind.exam');
  await page.keyboard.press('Escape');
  await look(page);
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(form.getByLabel('Email')).toHaveValue('new@northwind.exam');
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Discard changes' }).click();
  await expect(form).toHaveCount(0);
});

test('unsaved changes are restored after the session ended', async ({ page }) => {
  await openChannel(page);
  await nameField(page).fill('Typed before the end');
  await api('POST', '/dashboard/me/sessions/end-others', {});
  // The page's stream ends with the session.
  await page.waitForURL('**/login**', { timeout: 20_000 });
  await fillSignIn(page);
  await page.waitForURL(`**/channels/${channelId}`);
  await expect(page.getByText('Your unsaved changes have been restored.')).toBeVisible();
  await expect(nameField(page)).toHaveValue('Typed before the end');
  await look(page);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Saved Typed before the end')).toBeVisible();
  await api('PUT', `/dashboard/notification-channels/${channelId}`, { name: 'Pager' });
});

test('a conflicting edit shows what the other user changed', async ({ page }) => {
  await openChannel(page);
  const save = page.getByRole('button', { name: 'Save changes' });
  const dialog = page.getByRole('dialog', { name: 'Changed while you were editing' });
  const change = (name: string) => api('PUT', `/dashboard/notification-channels/${channelId}`, { name });
  // Nothing has been typed yet, so the form shows the new values.
  await change('Theirs');
  await expect(nameField(page)).toHaveValue('Theirs');
  await nameField(page).fill('Mine');
  await change('Theirs again');
  await expect(page.getByRole('heading', { name: 'Theirs again' })).toBeVisible();
  await expect(nameField(page)).toHaveValue('Mine');
  await save.click();
  await expect(dialog).toContainText(account.email);
  await expect(dialog).toContainText('Name: Theirs again');
  await look(page);
  expect(await nameNow()).toBe('Theirs again');
  await dialog.getByRole('button', { name: 'Keep my version' }).click();
  await expect(page.getByText('Saved Mine')).toBeVisible();
  expect(await nameNow()).toBe('Mine');
  await nameField(page).fill('Mine again');
  await change('Theirs at last');
  await save.click();
  await dialog.getByRole('button', { name: 'Use their version' }).click();
  await expect(nameField(page)).toHaveValue('Theirs at last');
  expect(await nameNow()).toBe('Theirs at last');
  await change('Pager');
});

test('an action fails immediately when offline and is not retried, and links stay on the page', async ({
  page,
  context,
}) => {
  await openChannel(page);
  await nameField(page).fill('Sent by surprise');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('You are offline. Try again')).toBeVisible();
  await nameField(page).fill('Pager');
  await page.getByRole('link', { name: 'Incidents' }).first().click();
  await expect(page.getByText('You are offline. The page could not be opened.')).toBeVisible();
  expect(page.url()).toContain(`/channels/${channelId}`);
  await context.setOffline(false);
  await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 30_000 });
  expect(await nameNow()).toBe('Pager');
  await page.getByRole('link', { name: 'Incidents' }).first().click();
  await page.waitForURL('**/incidents');
});

test('a slow navigation shows a progress bar', async ({ page }) => {
  await openChannel(page);
  const isPage = (url: URL) => url.pathname === '/incidents';
  await page.route(isPage, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await route.continue();
  });
  await page.getByRole('link', { name: 'Incidents' }).first().click();
  await expect(page.getByRole('progressbar', { name: 'Loading page' })).toBeVisible();
  await page.waitForURL('**/incidents');
  await expect(page.getByRole('progressbar', { name: 'Loading page' })).toHaveCount(0);
});

// Last, because it leaves the user in another team.
test('the API key and team dialogs ask before their unsaved changes are lost', async ({ page }) => {
  await signIn(page);
  await page.goto(`${product.url}/settings/api-keys`);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await page.getByRole('button', { name: 'New API key' }).first().click();
  const key = page.getByRole('dialog', { name: 'New API key' });
  await key.getByText('Full access').click();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(key.getByRole('radio', { name: /^Full access/ })).toBeChecked();
  await key.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: /^Team:/ }).click();
  await page.getByRole('menuitem', { name: 'Create a team…' }).click();
  const name = page.getByRole('form', { name: 'Create a team' }).getByLabel('Team name');
  await name.fill('Second tea');
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(name).toHaveValue('Second tea');
  await name.fill('Second team');
  await page.getByRole('button', { name: 'Create team' }).click();
  // Creating the team leaves the page without asking.
  await page.waitForURL('**/monitors');
  await expect(page.getByRole('button', { name: /^Team:/ })).toContainText('Second team');
});
