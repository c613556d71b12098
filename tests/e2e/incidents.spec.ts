import { expect, type Page } from 'playwright/test';
import { complaints, look, running, signInBrowser, watchLayoutShift } from '@/tests/support/page';
import type { Product } from '@/tests/support/product';
import { type HttpReceiver, startHttpReceiver } from '@/tests/support/receivers';
import { test } from '@/tests/support/shared-product';

// An incident that a user opens, publishes, edits and resolves; and a monitor's form with every field set.

test.use({ actionTimeout: 10_000 });

const account = { email: 'incidents@example.test', password: 'a long enough password', name: 'Robin' };
let product: Product;
let target: HttpReceiver;
let token = '';

async function send(method: string, path: string, body: unknown, credential = token) {
  const response = await fetch(product.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(credential && { authorization: `Bearer ${credential}` }) },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

async function signIn(page: Page, person: { email: string; password: string }, next: string) {
  await signInBrowser(page, product.url, person);
  await page.goto(product.url + next);
}

test.beforeAll(async ({ sharedProduct }) => {
  target = await startHttpReceiver();
  product = sharedProduct;
  ({ accessToken: token } = await send('POST', '/auth/signup', account));
  const config = { url: target.url };
  const { monitor } = await send('POST', '/dashboard/monitors', { type: 'http', name: 'Checkout', config });
  const long = { type: 'http', name: 'A name that is wider than the form on a phone has room for', config };
  await send('POST', '/dashboard/monitors', long);
  await send('POST', '/dashboard/status-pages', {
    slug: 'northwind-incidents',
    title: 'Northwind',
    monitorIds: [monitor.id],
  });
});

test.afterAll(async () => {
  await target?.close();
});

test('an incident is created, published, edited and resolved', async ({ page, browser }) => {
  test.setTimeout(180_000);
  const wrong = complaints(page);
  await signIn(page, account, '/incidents');
  await look(page);
  await page.getByRole('link', { name: 'New incident' }).click();
  await page.waitForURL('**/incidents/new');
  await page.getByRole('button', { name: 'Create incident' }).click();
  await expect(page.getByText('Enter a title.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Title' }).fill('Payments are late');
  await page.getByRole('textbox', { name: 'Cause' }).fill('The queue is full.');
  await page.getByRole('button', { name: /^Select\s*Checkout/ }).click();
  await expect(page.getByRole('button', { name: 'Remove Checkout' })).toBeFocused();
  await look(page);
  await page.getByRole('button', { name: 'Create incident' }).click();
  await page.waitForURL(/\/incidents\/[0-9A-Z]{26}$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Payments are late' })).toBeVisible();
  await expect(page.getByText('Robin opened the incident')).toBeVisible();
  await look(page);

  const customer = await (await browser.newContext()).newPage();
  const publicUrl = `${product.url}/status/northwind-incidents`;
  const timeline = page.getByRole('main');

  await test.step('a note is internal until it is published', async () => {
    const note = page.getByRole('textbox', { name: 'Note' });
    await page.getByRole('button', { name: 'Save note' }).click();
    await expect(page.getByText('Enter a message.')).toBeVisible();
    await note.fill('Blame it on build 7.');
    await page.getByRole('button', { name: 'Save note' }).click();
    await expect(timeline.getByRole('listitem').filter({ hasText: 'Blame it on build 7.' })).toBeVisible();
    await expect(note).toHaveValue('');
    await expect(page.getByText('On status pages', { exact: true })).toHaveCount(0);

    await note.fill('Card payments take up to ten minutes.');
    await page.getByRole('checkbox', { name: 'Show on status pages' }).click();
    await page.getByRole('button', { name: 'Publish' }).click();
    const published = timeline.getByRole('listitem').filter({ hasText: 'Card payments take up to ten minutes.' });
    await expect(published.getByText('On status pages', { exact: true })).toBeVisible();
    await expect(page.getByRole('checkbox', { name: 'Show on status pages' })).not.toBeChecked();
    await look(page);

    await customer.goto(publicUrl);
    await expect(customer.getByRole('heading', { name: 'Payments are late' })).toBeVisible();
    await expect(customer.getByText('Card payments take up to ten minutes.')).toBeVisible();
    for (const own of ['Blame it on build 7.', 'The queue is full.', 'Robin']) {
      await expect(customer.getByText(own)).toHaveCount(0);
    }
  });

  await test.step('title and cause are edited', async () => {
    await page.getByRole('button', { name: 'Edit title and cause' }).click();
    await page.getByRole('textbox', { name: 'Cause' }).fill('');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('No cause added yet.')).toBeVisible();
    await page.getByRole('button', { name: 'Edit title and cause' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Card payments are late');
    await page.getByRole('textbox', { name: 'Cause' }).fill('Build 7 opens too many connections.');
    await look(page);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Card payments are late' })).toBeVisible();
    await expect(page.getByText('Build 7 opens too many connections.')).toBeVisible();
    await expect(customer.getByRole('heading', { name: 'Card payments are late' })).toBeVisible();
  });

  // Next adds a second one when it streams the metadata of a page.
  const icons = () =>
    page.locator('link[rel="icon"]').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  const expectIcon = (path: string) => expect.poll(async () => [...new Set(await icons())]).toEqual([path]);
  await expectIcon('/icon-down.svg');
  await page.keyboard.press('a');
  await expect(page.getByText('Robin acknowledged')).toBeVisible();
  // The team has no channels, so nobody is notified.
  await expect(page.getByText('Acknowledged. No channels are notified of this incident.')).toBeVisible();
  await expect(page.getByText('Acknowledged by', { exact: true })).toBeVisible();

  await test.step('a viewer can read it but not change it', async () => {
    const guest = { email: 'vera@example.test', password: 'a long enough password' };
    const { invitation } = await send('POST', '/dashboard/team/invitations', { email: guest.email, role: 'viewer' });
    await send('POST', `/auth/invite/${invitation.token}/accept`, guest, '');
    const viewer = await (await browser.newContext()).newPage();
    await signIn(viewer, guest, '/incidents');
    await expect(viewer.getByRole('link', { name: 'Card payments are late' })).toBeVisible();
    await expect(viewer.getByRole('link', { name: 'New incident' })).toHaveCount(0);
    await viewer.goto(page.url());
    await expect(viewer.getByText('Blame it on build 7.')).toBeVisible();
    await expect(viewer.getByRole('main').getByRole('button')).toHaveCount(0);
    await expect(viewer.getByRole('textbox')).toHaveCount(0);
    await viewer.goto(`${product.url}/incidents/new`);
    await viewer.waitForURL('**/incidents');
    await viewer.context().close();
  });

  await page.getByRole('button', { name: 'Resolve' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Resolve' }).click();
  await expect(page.getByText(/Robin resolved the incident/)).toHaveCount(1);
  await expectIcon('/icon.svg');
  for (const control of ['Acknowledge', 'Resolve']) {
    await expect(page.getByRole('button', { name: control, exact: true })).toHaveCount(0);
  }
  // Title, cause and notes can still be changed.
  await expect(page.getByRole('button', { name: 'Edit title and cause' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Note' }).fill('It was a cable.');
  await page.getByRole('button', { name: 'Save note' }).click();
  await expect(timeline.getByRole('listitem').filter({ hasText: 'It was a cable.' })).toBeVisible();
  await look(page);
  await expect(customer.getByRole('region', { name: 'Past incidents' })).toContainText('Card payments are late');
  expect(wrong).toEqual([]);
});

test('the list is filtered, and an incident gets a postmortem, a public link and is reopened', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000);
  const wrong = complaints(page);
  const open = async (title: string, severity: string) =>
    (await send('POST', '/api/v1/incidents', { title, severity })).incident.id;
  const id = await open('Mail is slow', 'warning');
  await open('Search is slow', 'minor');
  await signIn(page, account, '/incidents');

  await test.step('tabs, search and filters are in the URL', async () => {
    await page.getByRole('searchbox', { name: 'Search incidents' }).fill('is slow');
    await page.waitForURL(/q=is\+slow/);
    await expect(page.getByRole('link', { name: 'Open 2' })).toBeVisible();
    await page.getByRole('combobox', { name: 'Severity' }).click();
    await page.getByRole('option', { name: 'Warning' }).click();
    await page.waitForURL(/severity=warning/);
    await expect(page.getByRole('link', { name: 'Search is slow' })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Open 1' })).toBeVisible();
    await look(page);
    await page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name: 'Resolved' }).click();
    await expect(page.getByText('No matching incidents')).toBeVisible();
    await page.goBack();
    await page.getByRole('button', { name: 'Acknowledge Mail is slow' }).click();
    await expect(page.getByRole('link', { name: 'Acknowledged 1' })).toBeVisible();
    await expect(page.getByRole('cell', { name: 'Robin', exact: true })).toBeVisible();
  });

  await page.getByRole('link', { name: 'Mail is slow' }).click();
  await page.waitForURL(`**/incidents/${id}`);
  await page.getByRole('button', { name: 'Resolve' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Resolve' }).click();

  await test.step('a postmortem is drafted and published', async () => {
    await page.getByRole('link', { name: 'Postmortem' }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill('## Root cause\n\n<b onclick="x">Build 7</b> **leaks**.');
    await page.getByRole('button', { name: 'Preview' }).click();
    await expect(page.getByRole('heading', { name: 'Root cause' })).toBeVisible();
    await expect(page.locator('.markdown b')).toHaveCount(0);
    await page.getByRole('button', { name: 'Save draft' }).click();
    await expect(page.getByText('Draft saved')).toBeVisible();
    await page.getByRole('button', { name: 'Publish to team' }).click();
    await expect(page.getByText(/Published, saved by Robin/)).toBeVisible();
    await look(page);
  });

  await test.step('its public link shows it to anyone until it is revoked', async () => {
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    const url = (await page.getByText(/\/shared\//).textContent()) ?? '';
    const outside = await (await browser.newContext()).newPage();
    await outside.goto(url);
    await expect(outside.getByRole('heading', { level: 1, name: 'Mail is slow' })).toBeVisible();
    await expect(outside.getByRole('heading', { name: 'Root cause' })).toBeVisible();
    await expect(outside.getByText('Robin')).toHaveCount(0);
    await expect(outside.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/);
    await look(outside);
    await page.getByRole('button', { name: 'Revoke link' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke link' }).click();
    await expect(page.getByText('Link revoked')).toBeVisible();
    await outside.reload();
    await expect(outside.getByText('This link is not valid')).toBeVisible();
    await outside.context().close();
  });

  await test.step('the list shows incidents with a published postmortem', async () => {
    await page.goto(`${product.url}/incidents`);
    await running(page);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Published postmortem' }).click();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/postmortem=published/);
    await expect(page.getByRole('button', { name: 'Remove filter Postmortem published' })).toBeVisible();
    await expect(page.getByRole('table', { name: 'Incidents' }).getByRole('link')).toHaveText(['Mail is slow']);
    await look(page);
    await page.getByRole('link', { name: 'Mail is slow' }).click();
    await page.waitForURL(`**/incidents/${id}`);
  });

  await page.getByRole('button', { name: 'Reopen' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reopen' }).click();
  await expect(page.getByText('Robin reopened the incident')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Acknowledge' })).toBeVisible();
  expect(wrong.filter((text) => !text.includes('404'))).toEqual([]);
});

test('the list is sorted by severity and by time, and a reload keeps the order', async ({ page }) => {
  const wrong = complaints(page);
  const shift = await watchLayoutShift(page);
  const titles = { minor: 'Kiosk screen flickers', critical: 'Kiosk is dark', warning: 'Kiosk is slow' };
  const ids: string[] = [];
  for (const [severity, title] of Object.entries(titles)) {
    ids.push((await send('POST', '/api/v1/incidents', { title, severity })).incident.id);
  }
  await send('POST', `/api/v1/incidents/${ids[1]}/acknowledge`, {});
  const rows = page.getByRole('table', { name: 'Incidents' }).getByRole('link');
  const { minor, critical, warning } = titles;
  await signIn(page, account, '/incidents');
  await running(page);
  await page.getByRole('searchbox', { name: 'Search incidents' }).fill('Kiosk');
  await expect(rows).toHaveText([warning, minor, critical]);
  await page.getByRole('combobox', { name: 'Sort by' }).click();
  await page.getByRole('option', { name: 'Worst first' }).click();
  await expect(page).toHaveURL(/sort=severity/);
  await expect(rows).toHaveText([critical, warning, minor]);
  await expect(page.getByRole('row', { name: 'Critical', exact: true })).toBeVisible();
  await look(page);
  await page.reload();
  await running(page);
  await expect(rows).toHaveText([critical, warning, minor]);
  expect(await shift()).toBeLessThanOrEqual(0.02);
  // By keyboard.
  await page.getByRole('combobox', { name: 'Sort by' }).press('Enter');
  await page.getByRole('option', { name: 'Newest first' }).press('Enter');
  await expect(page).toHaveURL(/sort=newest/);
  await expect(rows).toHaveText([warning, critical, minor]);
  expect(wrong).toEqual([]);
});

test('a team of many members finds the incidents of one of them, and assigns another', async ({ page }) => {
  const wrong = complaints(page);
  const owner = { email: 'many@example.test', password: account.password, name: 'Ada' };
  const { accessToken: key } = await send('POST', '/auth/signup', owner, '');
  const join = async (name: string, email: string): Promise<string> => {
    const invited = { email, role: 'member' };
    const { invitation } = await send('POST', '/dashboard/team/invitations', invited, key);
    const body = { email, password: account.password, name };
    return (await send('POST', `/auth/invite/${invitation.token}/accept`, body, '')).user.id;
  };
  // More than the dialog offers at once; the ones that are searched for are the latest.
  for (let index = 0; index < 9; index += 1) await join(`Person ${index}`, `person-${index}@example.test`);
  const zoe = await join('Zoe', 'zoe@example.test');
  await join('Yuki', 'yuki@example.test');
  const { incident } = await send('POST', '/api/v1/incidents', { title: 'Orders are late' }, key);
  await send('POST', '/api/v1/incidents', { title: 'Nobody has this one' }, key);
  await send('PATCH', `/api/v1/incidents/${incident.id}`, { assigneeId: zoe }, key);
  await signIn(page, owner, '/incidents');
  await running(page);
  const rows = page.getByRole('table', { name: 'Incidents' }).getByRole('link');

  await test.step('the toolbar has one row from 1280 px', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    const toolbar = page.getByRole('search').locator('xpath=..');
    await expect(toolbar.getByRole('button', { name: 'Select', exact: true })).toBeVisible();
    expect((await toolbar.boundingBox())?.height).toBeLessThan(50);
  });

  await test.step('the filter for an assignee searches the members, also by keyboard', async () => {
    await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'Assignee…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Show incidents of an assignee' });
    await expect(dialog.getByText('The team has more members. Search to find them.')).toBeVisible();
    await expect(dialog.getByRole('button', { name: /^Show\s*Zoe/ })).toHaveCount(0);
    await look(page);
    await dialog.getByRole('searchbox', { name: 'Assignee' }).fill('ZOE@');
    await dialog.getByRole('button', { name: /^Show\s*Zoe/ }).press('Enter');
    await expect(page).toHaveURL(new RegExp(`assignee=${zoe}`));
    await expect(rows).toHaveText(['Orders are late']);
    await page.reload();
    await running(page);
    await page.getByRole('button', { name: 'Remove filter Assignee Zoe' }).press('Enter');
    await expect(page.getByRole('button', { name: 'Filter', exact: true })).toBeFocused();
    await expect(rows).toHaveCount(2);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Assignee…' }).click();
    await dialog.getByRole('button', { name: 'Unassigned' }).click();
    await expect(rows).toHaveText(['Nobody has this one']);
    await expect(page.getByRole('button', { name: 'Remove filter Assignee nobody' })).toBeVisible();
    await look(page);
  });

  await test.step('the dialog of an incident assigns a member that is searched for', async () => {
    await page.goto(`${product.url}/incidents/${incident.id}`);
    await running(page);
    await page.getByRole('button', { name: 'Edit title and cause' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit incident' });
    await dialog.getByRole('button', { name: 'Remove Zoe' }).click();
    await dialog.getByRole('searchbox', { name: 'Assignee' }).fill('yuki');
    await dialog.getByRole('button', { name: /^Assign\s*Yuki/ }).click();
    await look(page);
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('main').getByText('Yuki', { exact: true })).toBeVisible();
  });
  expect(wrong).toEqual([]);
});

test('two selected incidents are acknowledged together', async ({ page }) => {
  const wrong = complaints(page);
  const titles = ['Queue one stalls', 'Queue two stalls', 'Queue three stalls'];
  for (const title of titles) await send('POST', '/api/v1/incidents', { title, severity: 'minor' });
  await signIn(page, account, '/incidents');
  await page.getByRole('searchbox', { name: 'Search incidents' }).fill('stalls');
  await expect(page.getByRole('link', { name: 'Open 3' })).toBeVisible();
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  const box = (title = '') => page.getByRole('checkbox', { name: `Select ${title}` });
  const bar = page.getByRole('toolbar', { name: 'Bulk actions' });
  // The latest one is first.
  await box(titles[2]).click();
  await box(titles[0]).click({ modifiers: ['Shift'] });
  await expect(bar.getByText('3 selected')).toBeVisible();
  await box(titles[2]).click();
  await expect(bar.getByText('2 selected')).toBeVisible();
  await look(page);
  await bar.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(page.getByText('Acknowledged 2 incidents')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open 1' })).toBeVisible();
  await page.getByRole('link', { name: 'Acknowledged 2' }).click();
  for (const title of titles.slice(0, 2)) await expect(page.getByRole('link', { name: title })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Queue three stalls' })).toHaveCount(0);
  expect(wrong).toEqual([]);
});

test('a failing check is shown first, with what changed and the request as a command', async ({ page, context }) => {
  test.setTimeout(120_000);
  const wrong = complaints(page);
  let status = 200;
  target.respond(({ path }) => (path.startsWith('/billing') ? { status } : { status: 200 }));
  const headers = { Authorization: 'Bearer a-secret-of-billing' };
  const config = { url: `${target.url}/billing?page=2`, headers, confirm: { failures: 1 } };
  const { monitor } = await send('POST', '/dashboard/monitors', { type: 'http', name: 'Billing', config });
  const read = async (path: string) =>
    (await fetch(product.url + path, { headers: { authorization: `Bearer ${token}` } })).json();
  await expect.poll(async () => (await read(`/api/v1/monitors/${monitor.id}`)).monitor.status).toBe('up');
  status = 503;
  await send('POST', `/dashboard/monitors/${monitor.id}/check`, {});
  const incidents = async () => (await read(`/api/v1/incidents?monitorId=${monitor.id}`)).incidents;
  await expect.poll(async () => (await incidents()).length, { timeout: 60_000 }).toBe(1);
  const [incident] = await incidents();

  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const shift = await watchLayoutShift(page);
  await signIn(page, account, `/incidents/${incident.id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Billing is down' })).toBeVisible();
  const first = page.getByRole('button', { expanded: true }).filter({ hasText: '503' });
  await expect(first).toBeVisible();
  await expect(page.getByText('GET /billing?').first()).toBeVisible();
  expect(await shift()).toBeLessThanOrEqual(0.02);
  await look(page);
  await page.getByRole('button', { name: 'Copy as cURL' }).click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain(`curl -i '${target.url}/billing?page=2'`);
  expect(command).toContain('# Secret, not included:');
  expect(command).not.toContain('a-secret-of-billing');
  // One line grows with its text, and says where it is shown.
  const note = page.getByRole('textbox', { name: 'Note' });
  const heightOf = async () => (await note.boundingBox())?.height ?? 0;
  const before = await heightOf();
  await note.fill('One\nTwo\nThree');
  expect(await heightOf()).toBeGreaterThan(before * 1.5);
  await note.press('Control+Enter');
  await expect(page.getByRole('listitem').filter({ hasText: 'Three' })).toBeVisible();
  expect(wrong).toEqual([]);
});

test('every field of a monitor can be edited', async ({ page }) => {
  test.setTimeout(90_000);
  const wrong = complaints(page);
  const { monitor } = await send('POST', '/dashboard/monitors', {
    type: 'http',
    name: 'Search',
    config: { url: target.url },
  });
  await signIn(page, account, `/monitors/${monitor.id}/edit`);
  await running(page);
  await page.getByRole('button', { name: /^Headers, body/ }).click();
  await page.getByRole('textbox', { name: 'Certificate warning' }).fill('400');
  await page.getByRole('textbox', { name: 'External ID' }).fill('search-1');
  await look(page);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('At most 365.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Certificate warning' }).fill('30');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.waitForURL(/\/monitors\/[0-9A-Z]{26}$/);
  const saved = await (
    await fetch(`${product.url}/api/v1/monitors/${monitor.id}`, { headers: { authorization: `Bearer ${token}` } })
  ).json();
  expect(saved.monitor).toMatchObject({ externalId: 'search-1', config: { certificateWarnDays: 30 } });

  await test.step('an external ID is unique in the team', async () => {
    await page.goto(`${product.url}/monitors/new`);
    await page.getByRole('textbox', { name: 'URL' }).fill(target.url);
    await page.getByRole('textbox', { name: 'Name' }).fill('Search again');
    await page.getByRole('button', { name: /^Headers, body/ }).click();
    await page.getByRole('textbox', { name: 'External ID' }).fill('search-1');
    await page.getByRole('button', { name: 'Create monitor' }).click();
    await expect(page.getByText('Another monitor of this team has this externalId.')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'External ID' })).toBeFocused();
  });
  expect(wrong.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([]);
});
