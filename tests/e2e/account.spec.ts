import { type Browser, expect, type Page } from 'playwright/test';
import { complaints, look, running, signInBrowser } from '@/tests/support/page';
import { type Product, startProduct } from '@/tests/support/product';
import { test } from '@/tests/support/shared-product';

// A user's own account, and what a user without a team sees.

const password = 'a long enough password';

let product: Product;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  product = await startProduct({ env: { AUTH_RATE_LIMIT_PER_MINUTE: '0' } });
});

test.afterAll(async () => {
  await product?.stop();
});

async function api(method: string, path: string, { token, body }: { token?: string; body?: unknown }) {
  const response = await fetch(product.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

const signUp = (email: string) => api('POST', '/auth/signup', { body: { email, password, teamName: 'Northwind' } });

async function fillSignIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function signIn(page: Page, email: string): Promise<void> {
  await signInBrowser(page, product.url, { email, password });
  await page.goto(`${product.url}/monitors`);
}

async function secondBrowser(browser: Browser, email: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, email);
  return page;
}

/** The reset link mailed to an address; without SMTP, administrators see it. */
async function resetLink(email: string): Promise<string> {
  const { accessToken: token } = await api('POST', '/auth/login', { body: { email: 'ada@example.test', password } });
  let link = '';
  await expect(async () => {
    const { mails } = await api('GET', '/admin/mail', { token });
    const mail = mails.find(({ to, subject }: { to: string; subject: string }) => {
      return to === email && subject.includes('Reset');
    });
    link = /http\S+\/reset-password\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
    expect(link).not.toBe('');
  }).toPass();
  return link;
}

// The first account of an instance is its administrator.
test('an administrator without a team can open their account and the instance pages', async ({ page }) => {
  const found = complaints(page);
  const ada = await signUp('ada@example.test');
  const token = ada.accessToken;
  const body = { email: 'kim@example.test', role: 'admin' };
  const { invitation } = await api('POST', '/dashboard/team/invitations', { token, body });
  const kim = await api('POST', `/auth/invite/${invitation.token}/accept`, {
    body: { email: 'kim@example.test', password },
  });
  await api('PATCH', `/dashboard/team/members/${kim.user.id}`, { token, body: { role: 'owner' } });
  await api('DELETE', `/dashboard/team/members/${ada.user.id}`, { token });

  await signIn(page, 'ada@example.test');
  await expect(page.getByText('You are not in a team')).toBeVisible();
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Incidents' })).toHaveCount(0);
  await look(page);
  await page.getByRole('link', { name: 'Your account' }).click();
  await expect(page.getByRole('form', { name: 'Change password' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Settings' }).getByRole('link')).toHaveText(['Account']);
  await look(page);
  await page.goto(`${product.url}/settings/api-keys`);
  await page.getByRole('link', { name: 'Instance administration' }).click();
  await expect(page.getByRole('link', { name: 'kim@example.test' })).toBeVisible();
  await look(page);
  expect(found).toEqual([]);
});

test('a user removed from their only team sees what to do next', async ({ page }) => {
  const owner = await signUp('owner@example.test');
  const body = { email: 'lee@example.test', role: 'member' };
  const { invitation } = await api('POST', '/dashboard/team/invitations', { token: owner.accessToken, body });
  const lee = await api('POST', `/auth/invite/${invitation.token}/accept`, {
    body: { email: 'lee@example.test', password },
  });
  await signIn(page, 'lee@example.test');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await api('DELETE', `/dashboard/team/members/${lee.user.id}`, { token: owner.accessToken });
  // Without a reload: the page's stream ends with the membership.
  await expect(page.getByText('You are not in a team')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText('invite lee@example.test')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Instance' })).toHaveCount(0);
  await look(page);
});

test('a changed password ends other sessions and keeps this one', async ({ page, browser }) => {
  const found = complaints(page);
  const email = 'robin@example.test';
  const changed = 'another long password';
  const { accessToken: token } = await signUp(email);
  const other = await secondBrowser(browser, email);
  await expect(other.getByText('Live', { exact: true })).toBeVisible();
  await signIn(page, email);
  await running(page);
  await page.getByRole('button', { name: `Account of ${email}` }).click();
  await page.getByRole('menuitem', { name: 'Account' }).click();
  await expect(page.getByRole('main')).toContainText(email);
  await look(page);
  const desktop = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  const tab = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Account' });
  await expect(tab).toBeInViewport({ ratio: 0.9 });
  if (desktop) await page.setViewportSize(desktop);

  const [present, wanted, again] = ['Current password', 'New password', 'Confirm new password'].map((label) =>
    page.getByRole('form', { name: 'Change password' }).getByLabel(label, { exact: true }),
  );
  const submit = page.getByRole('button', { name: 'Change password' });
  const fill = async (...values: string[]) => {
    await present?.fill(values[0] ?? '');
    await wanted?.fill(values[1] ?? '');
    await again?.fill(values[2] ?? '');
    await submit.click();
  };
  await fill('', 'short', 'short');
  await expect(page.getByText('Enter your password.')).toBeVisible();
  await expect(page.getByText('Use 10 to 200 characters.')).toBeVisible();
  await look(page);
  await fill(password, changed, 'another lnog password');
  await expect(page.getByText('The passwords do not match.')).toBeVisible();
  expect(found).toEqual([]);
  await fill('not my password', changed, changed);
  await expect(page.getByText('Incorrect password.')).toBeVisible();
  if (present) await expect(present).toBeFocused();
  await look(page);

  await fill(password, changed, changed);
  await expect(page.getByText('Password changed.')).toBeVisible();
  expect((await fetch(`${product.url}/dashboard/me`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(
    401,
  );
  await other.waitForURL('**/login**', { timeout: 20_000 });
  await page.reload();
  await page.getByRole('link', { name: 'Monitors' }).first().click();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();

  await fillSignIn(other, email);
  await expect(other.getByText('Incorrect email or password.')).toBeVisible();
  await other.getByLabel('Password').fill(changed);
  await other.getByRole('button', { name: 'Sign in' }).click();
  await other.waitForURL('**/monitors');
  await other.context().close();
});

test('a forgotten password is reset by the link that administrators find in undelivered mail', async ({ page }) => {
  const found = complaints(page);
  const email = 'forgetful@example.test';
  // The administrator exists already if the tests above ran.
  await signUp('ada@example.test').catch(() => undefined);
  const { accessToken: other } = await signUp(email);
  await page.goto(`${product.url}/login`);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  // The form of the page before has an Email field too.
  await page.waitForURL('**/forgot-password');
  await page.getByLabel('Email').fill(email);
  await look(page);
  await page.getByRole('button', { name: 'Request reset link' }).click();
  await expect(page.getByText(`If an account exists for ${email}`)).toContainText('the instance administrator');
  await look(page);
  const link = await resetLink(email);
  await page.goto(link);
  await page.getByRole('textbox', { name: 'New password' }).fill('password1234');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(page.getByText('This password is too common.')).toBeVisible();
  await look(page);
  await page.getByRole('textbox', { name: 'New password' }).fill('a wholly new battery');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.waitForURL('**/monitors');
  const answer = await fetch(`${product.url}/dashboard/me`, { headers: { authorization: `Bearer ${other}` } });
  expect(answer.status).toBe(401);
  await page.goto(link);
  await page.getByRole('textbox', { name: 'New password' }).fill('another wholly new battery');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(page.getByText('This link has expired', { exact: false })).toHaveText(
    'This link has expired or has already been used. Request a new one.',
  );
  // The browser itself logs the refused form.
  expect(found.filter((line) => !line.includes('400'))).toEqual([]);
});

test('a team is created, renamed and deleted, and its creator switches to their other team', async ({ page }) => {
  const found = complaints(page);
  const email = 'founder@example.test';
  await signUp(email);
  await signIn(page, email);
  await running(page);
  await page.getByRole('button', { name: 'Team: Northwind' }).click();
  await page.getByRole('menuitem', { name: 'Create a team…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a team' });
  await dialog.getByRole('button', { name: 'Create team' }).click();
  await expect(dialog.getByText('Enter a name.')).toBeVisible();
  await look(page);
  await dialog.getByLabel('Team name').fill('Second');
  await dialog.getByRole('button', { name: 'Create team' }).click();
  await expect(page.getByRole('button', { name: 'Team: Second' })).toBeVisible();
  await running(page);
  await page.getByRole('button', { name: 'Team: Second' }).click();
  await page.getByRole('menuitem', { name: 'Team settings' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Third');
  await page.getByRole('button', { name: 'Rename team' }).click();
  await expect(page.getByRole('button', { name: 'Team: Third' })).toBeVisible();
  await page.getByLabel('Confirm team name').fill('Second');
  await page.getByRole('button', { name: 'Delete team' }).click();
  await expect(page.getByText('Type Third to confirm.').last()).toBeVisible();
  await look(page);
  await page.getByLabel('Confirm team name').fill('Third');
  await page.getByRole('button', { name: 'Delete team' }).click();
  await expect(page.getByRole('button', { name: 'Team: Northwind' })).toBeVisible();
  expect(found).toEqual([]);
});

test('an administrator creates a reset link, and the user signs in with the new password', async ({ page }) => {
  const email = 'locked-out@example.test';
  const ada = { email: 'ada@example.test', password };
  await signUp(ada.email).catch(() => undefined);
  const { user } = await signUp(email);
  await signIn(page, ada.email);
  await page.goto(`${product.url}/instance/users/${user.id}`);
  await page.getByRole('button', { name: 'Create reset link' }).click();
  const link = page.getByText(/\/reset-password\//);
  await expect(link).toBeVisible();
  await look(page);
  const url = (await link.textContent()) ?? '';
  await page.context().clearCookies();
  await page.goto(url);
  await page.getByRole('textbox', { name: 'New password' }).fill('a wholly new battery');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.waitForURL('**/monitors');
  await page.goto(url);
  await page.getByRole('textbox', { name: 'New password' }).fill('yet another battery');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(page.getByText('This link has expired or has already been used.')).toBeVisible();
});
