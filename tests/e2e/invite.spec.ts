import pg from 'pg';
import { expect, type Page } from 'playwright/test';
import { pagePatterns } from '@/tests/support/every-page';
import { complaints, look, running, signInBrowser } from '@/tests/support/page';
import { type Product, startProduct } from '@/tests/support/product';
import { test } from '@/tests/support/shared-product';

// Joining a team and managing its members.

const password = 'a long enough password';

let product: Product;
let people = 0;

interface Person {
  email: string;
  teamId: string;
  teamName: string;
  token: string;
}

interface Invitation {
  id: string;
  token: string;
  url: string;
  email: string;
}

test.beforeAll(async () => {
  test.setTimeout(300_000);
  product = await startProduct({ env: { DEFAULT_PLAN: 'free', AUTH_RATE_LIMIT_PER_MINUTE: '0' } });
});

test.afterAll(async () => {
  await product?.stop();
});

async function api(method: string, path: string, { token, body }: { token?: string; body?: unknown } = {}) {
  const response = await fetch(product.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

function newEmail(): string {
  people += 1;
  return `person-${people}@example.test`;
}

async function newPerson(teamName: string): Promise<Person> {
  const email = newEmail();
  const body = { email, password, name: `Person ${people}`, teamName };
  const { teamId, accessToken } = await api('POST', '/auth/signup', { body });
  return { email, teamId, teamName, token: accessToken };
}

async function invite({ token }: Person, role = 'member'): Promise<Invitation> {
  const body = { email: newEmail(), role };
  return (await api('POST', '/dashboard/team/invitations', { token, body })).invitation;
}

function acceptAsNew({ token }: Invitation, email = newEmail()) {
  return api('POST', `/auth/invite/${token}/accept`, { body: { email, password } });
}

async function sql(text: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: product.childEnv.DATABASE_URL });
  await client.connect();
  try {
    await client.query(text, values);
  } finally {
    await client.end();
  }
}

const signIn = (page: Page, { email }: Person) => signInBrowser(page, product.url, { email, password });

async function fillSignIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const teamMenu = (page: Page, name: string) => page.getByRole('banner').getByText(name, { exact: true });

test('a new user creates an account and joins', async ({ page }) => {
  const found = complaints(page);
  const owner = await newPerson('Northwind');
  const invitation = await invite(owner, 'admin');
  await page.goto(invitation.url);
  await expect(heading(page, 'Join Northwind')).toBeVisible();
  await expect(page.getByText('as an admin')).toBeVisible();
  await look(page);

  await expect(page.getByLabel('Email')).toHaveValue(invitation.email);
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await expect(page.getByText('Use 10 to 200 characters.')).toBeVisible();
  await expect(page.getByLabel('Password')).toBeFocused();
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Name').fill('Kim Larsen');
  expect(found).toEqual([]);

  await page.getByLabel('Email').fill(owner.email);
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await expect(page.getByText('An account with this email address already exists.')).toBeVisible();
  await look(page);
  await page.getByLabel('Email').fill(invitation.email);
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await page.waitForURL('**/monitors');
  await expect(teamMenu(page, 'Northwind')).toBeVisible();

  await page.getByRole('link', { name: 'Team' }).first().click();
  await expect(page.getByRole('list', { name: 'Members' })).toContainText('Kim Larsen');
});

test('an existing user signs in, joins and switches between teams', async ({ page }) => {
  const owner = await newPerson('Harbour');
  const person = await newPerson('Lighthouse');
  const invitation = await invite(owner, 'viewer');
  await page.goto(invitation.url);
  await page.getByRole('link', { name: 'Sign in to join with it' }).click();
  await page.waitForURL('**/login**');
  await fillSignIn(page, person.email);
  await page.waitForURL('**/invite/**');
  await expect(page.getByText(person.email)).toBeVisible();
  await look(page);
  await page.getByRole('button', { name: 'Join Harbour' }).click();
  await page.waitForURL('**/monitors');
  await running(page);
  await page.getByRole('button', { name: 'Team: Harbour' }).click();
  await expect(page.getByRole('menuitemradio')).toHaveText(['Lighthouse', 'Harbour']);
  await expect(page.getByRole('menuitemradio', { name: 'Harbour' })).toBeChecked();
  await page.getByRole('menuitemradio', { name: 'Lighthouse' }).click();
  await expect(page.getByRole('button', { name: 'Team: Lighthouse' })).toBeVisible();
  await look(page);
  const me = await page.evaluate(() => fetch('/dashboard/me').then((answer) => answer.json()));
  expect(me).toMatchObject({ teamId: person.teamId, role: 'owner' });
});

test('a user can sign out and join with another account', async ({ page }) => {
  const owner = await newPerson('Meadow');
  await signIn(page, owner);
  const invitation = await invite(owner);
  await page.goto(invitation.url);
  await page.getByRole('button', { name: 'Use another account' }).click();
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await page.waitForURL('**/monitors');
  await expect(teamMenu(page, 'Meadow')).toBeVisible();
});

test('the cookie of an ended session counts as signed out', async ({ page }) => {
  const owner = await newPerson('Orchard');
  const other = await newPerson('Elsewhere');
  await signIn(page, other);
  // An open dashboard page would redirect to the sign-in page by itself.
  await page.goto('about:blank');
  await sql('update sessions set revoked_at = now() where user_id = (select id from users where email = $1)', [
    other.email,
  ]);
  await page.goto((await invite(owner)).url);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await page.waitForURL('**/monitors');
  await expect(teamMenu(page, 'Orchard')).toBeVisible();
});

test('an invalid invitation explains why', async ({ page }) => {
  const owner = await newPerson('Quarry');
  const used = await invite(owner);
  await acceptAsNew(used);
  const revoked = await invite(owner);
  await api('DELETE', `/dashboard/team/invitations/${revoked.id}`, { token: owner.token });
  const late = await invite(owner);
  await sql("update invitations set expires_at = now() - interval '1 minute' where id = $1", [late.id]);
  const cases: [string, string][] = [
    [`${product.url}/invite/nothing`, 'Invitation not found'],
    [`${product.url}/invite/%00`, 'Invitation not found'],
    [used.url, 'This invitation has already been used'],
    [revoked.url, 'This invitation was revoked'],
    [late.url, 'This invitation has expired'],
  ];
  for (const [url, title] of cases) {
    const response = await page.goto(url);
    expect(response?.status()).toBe(title === 'Invitation not found' ? 404 : 200);
    await expect(heading(page, title)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
    await expect(page.getByRole('button')).toHaveCount(0);
    await look(page);
  }
  await signIn(page, owner);
  await page.goto(used.url);
  await page.getByRole('link', { name: 'Go to your monitors' }).click();
  await page.waitForURL('**/monitors');
});

test('a link that cannot exist leads to no page', async ({ request }) => {
  // These two check their link once the form is sent.
  const forms = ['/confirm-email/[token]', '/reset-password/[token]'];
  const paths = pagePatterns().filter((pattern) => pattern.includes('[token]'));
  expect(paths).toEqual(expect.arrayContaining(forms));
  for (const path of paths) {
    const response = await request.get(product.url + path.replace('[token]', 'a'.repeat(5_000)));
    expect([path, response.status()]).toEqual([path, forms.includes(path) ? 200 : 404]);
  }
});

test('an open invitation page reports that the invitation was used or revoked', async ({ page }) => {
  const owner = await newPerson('Island');
  const join = async () => {
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account and join' }).click();
  };
  const used = await invite(owner);
  await page.goto(used.url);
  await acceptAsNew(used);
  await join();
  await expect(heading(page, 'This invitation has already been used')).toBeVisible();

  const revoked = await invite(owner);
  await page.goto(revoked.url);
  await api('DELETE', `/dashboard/team/invitations/${revoked.id}`, { token: owner.token });
  await join();
  await expect(heading(page, 'This invitation was revoked')).toBeVisible();
});

test('members, and invitees of a full team, see why they cannot join', async ({ page }) => {
  const owner = await newPerson('Summit');
  const [first, second] = [await invite(owner), await invite(owner)];
  await signIn(page, owner);
  await page.goto(first.url);
  await page.getByRole('button', { name: 'Join Summit' }).click();
  await expect(heading(page, 'You are already a member of this team')).toBeVisible();
  await look(page);

  await sql("update teams set plan = 'pro' where id = $1", [owner.teamId]);
  const third = await invite(owner);
  await sql("update teams set plan = 'free' where id = $1", [owner.teamId]);
  await acceptAsNew(first);
  await acceptAsNew(second);
  await page.context().clearCookies();
  await page.goto(third.url);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await expect(heading(page, 'This team is full')).toBeVisible();
  await look(page);
});

test('an owner invites, resends, revokes, changes roles and removes members', async ({ page, context }) => {
  const found = complaints(page);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const owner = await newPerson('Valley');
  const joined = await acceptAsNew(await invite(owner, 'viewer'), 'member@example.test');
  await signIn(page, owner);
  await page.goto(`${product.url}/monitors`);
  await page.getByRole('link', { name: 'Team' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Team' })).toBeVisible();
  await expect(page.getByText('No pending invitations')).toBeVisible();
  await look(page);

  await page.getByRole('button', { name: 'Invite member' }).click();
  const asking = page.getByRole('dialog', { name: 'Invite member' });
  // Without a mail server, no page may say that an email was sent.
  await expect(asking).toContainText('You get a link to share, because this instance does not send email.');
  await asking.getByLabel('Email').fill('Newcomer@example.test');
  await asking.getByLabel('Role').click();
  await page.getByRole('option', { name: 'Admin' }).click();
  await look(page);
  await asking.getByRole('button', { name: 'Create invitation' }).click();
  const link = page.getByRole('dialog', { name: 'Invitation link for newcomer@example.test' });
  await link.getByRole('button', { name: 'Copy link' }).click();
  await expect(link.getByRole('button', { name: 'Copied' })).toBeVisible();
  await expect(link).toContainText('This instance does not send email.');
  const firstLink = await copied();
  expect(firstLink).toMatch(/\/invite\/[\w-]{43}$/);
  await look(page);
  await link.getByRole('button', { name: 'Done' }).click();
  const invitations = page.getByRole('list', { name: 'Invitations' }).getByRole('listitem');
  await expect(invitations).toHaveCount(1);
  await expect(invitations).toContainText('Admin');

  await page.getByRole('button', { name: 'Resend invitation to newcomer@example.test' }).click();
  await link.getByRole('button', { name: 'Copy link' }).click();
  await expect.poll(copied).not.toBe(firstLink);
  await link.getByRole('button', { name: 'Done' }).click();
  expect((await context.request.get(firstLink)).ok()).toBe(true);
  expect(await (await context.request.get(firstLink)).text()).toContain('This invitation was revoked');

  expect(found).toEqual([]);
  // The plan allows three: two members and the invited one.
  await page.getByRole('button', { name: 'Invite member' }).click();
  await asking.getByLabel('Email').fill('member@example.test');
  await asking.getByRole('button', { name: 'Create invitation' }).click();
  await expect(asking.getByText('is already a member of the team')).toBeVisible();
  await asking.getByLabel('Email').fill('fourth@example.test');
  await asking.getByRole('button', { name: 'Create invitation' }).click();
  await expect(asking.getByText('allows 3 members')).toBeVisible();
  await asking.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Revoke invitation for newcomer@example.test…' }).click();
  await look(page);
  await page.getByRole('button', { name: 'Revoke invitation', exact: true }).click();
  await expect(page.getByText('No pending invitations')).toBeVisible();

  const roleOf = async () => {
    const { members } = await api('GET', '/dashboard/team/members', { token: owner.token });
    return members.find(({ email }: { email: string }) => email === 'member@example.test')?.role;
  };
  await page.getByRole('combobox', { name: 'Role of member@example.test' }).click();
  await page.getByRole('option', { name: 'Member' }).click();
  await expect(page.getByText('member@example.test is now a member')).toBeVisible();
  expect(await roleOf()).toBe('member');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('member@example.test is now a viewer')).toBeVisible();
  expect(await roleOf()).toBe('viewer');

  await page.getByRole('button', { name: 'Remove member@example.test…' }).click();
  await look(page);
  await page.getByRole('button', { name: 'Remove member', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Members' }).getByRole('listitem')).toHaveCount(1);
  const me = await api('GET', '/dashboard/me', { token: joined.accessToken });
  expect(me).toMatchObject({ teamId: null, teams: [] });

  await page.getByRole('button', { name: 'Leave…' }).click();
  await page.getByRole('button', { name: 'Leave team' }).click();
  await expect(page.getByText('A team needs at least one owner.')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
});

test('a member leaves the team and switches to their own', async ({ page }) => {
  const owner = await newPerson('River');
  const person = await newPerson('Bridge');
  const { token } = await invite(owner);
  await signIn(page, person);
  await page.goto(`${product.url}/invite/${token}`);
  await page.getByRole('button', { name: 'Join River' }).click();
  await page.waitForURL('**/monitors');
  await page.goto(`${product.url}/team`);
  await expect(page.getByRole('list', { name: 'Members' }).getByRole('listitem')).toHaveCount(2);
  await expect(page.getByRole('heading', { name: 'Invitations' })).toHaveCount(0);
  await expect(page.getByRole('combobox')).toHaveCount(0);
  await look(page);
  await page.getByRole('button', { name: 'Leave…' }).click();
  await page.getByRole('button', { name: 'Leave team' }).click();
  await page.waitForURL('**/monitors');
  await expect(teamMenu(page, 'Bridge')).toBeVisible();
});

test('a user removed from a team selects another team', async ({ page }) => {
  const owner = await newPerson('Desert');
  const person = await newPerson('Oasis');
  await signIn(page, person);
  await page.goto((await invite(owner)).url);
  await page.getByRole('button', { name: 'Join Desert' }).click();
  await page.waitForURL('**/monitors');
  await page.goto('about:blank');
  const { members } = await api('GET', '/dashboard/team/members', { token: owner.token });
  const { id } = members.find(({ email }: { email: string }) => email === person.email);
  await api('DELETE', `/dashboard/team/members/${id}`, { token: owner.token });
  await page.goto(`${product.url}/monitors`);
  await expect(page.getByText('You are no longer a member of that team')).toBeVisible();
  await look(page);
  await page.getByRole('button', { name: 'Continue with Oasis' }).click();
  await expect(teamMenu(page, 'Oasis')).toBeVisible();
});
