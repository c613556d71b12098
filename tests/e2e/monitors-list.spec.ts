import pg from 'pg';
import { expect, type Page } from 'playwright/test';
import { complaints, look, running, signUpInBrowser, violations } from '@/tests/support/page';
import type { Product } from '@/tests/support/product';
import { test } from '@/tests/support/shared-product';

// The list of monitors and the command palette, by keyboard alone.

const COUNT = 400;

test.use({ actionTimeout: 10_000, viewport: { width: 1280, height: 800 } });

/** Signs up, and gives the team monitors that no worker checks: two fail. */
async function signUp(page: Page, product: Product, email: string) {
  await signUpInBrowser(page, product.url, email);
  const client = new pg.Client({ connectionString: product.childEnv.DATABASE_URL });
  await client.connect();
  await client.query(
    `with team as (
       select team_id as id from memberships join users on users.id = user_id where email = $1
     ), made as (
       insert into monitors (id, team_id, type, name, config, interval_seconds, tags)
       select upper(left('01KB' || md5(email || n), 26)), team.id, 'http', 'Shop ' || lpad(n::text, 3, '0'),
         '{"url":"http://127.0.0.1:9/","method":"GET"}', 86400, case when n % 2 = 0 then array['even'] else array['odd'] end
       from team, (select $1::text as email) e, generate_series(1, $2::int) n returning id, team_id, name
     )
     insert into monitor_states (monitor_id, team_id, status, status_since, last_checked_at, last_error)
     select id, team_id, case when name in ('Shop 300', 'Shop 301') then 'down' else 'up' end::monitor_status,
       now() - interval '5 minutes', now(), case when name = 'Shop 300' then 'Expected status 200-299, got 503' end
     from made`,
    [email, COUNT],
  );
  await client.end();
  await page.goto(`${product.url}/monitors`);
}

const row = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

test('the list scrolls to its end, is sorted, grouped and filtered, and the URL keeps it', async ({
  page,
  sharedProduct,
}) => {
  const wrong = complaints(page);
  await signUp(page, sharedProduct, 'list@example.test');
  const table = page.getByRole('table', { name: 'Monitors' });

  await test.step('a failing row says why', async () => {
    const failing = table.getByRole('row').filter({ hasText: 'Shop 300' });
    await expect(failing).toContainText('503, expected 200–299');
    await expect(failing).not.toContainText('127.0.0.1');
    await expect(table).toHaveAttribute('aria-rowcount', String(COUNT + 3));
  });

  await test.step('nothing moves while the page loads', async () => {
    await page.reload();
    await expect(row(page, 'Shop 301')).toBeVisible();
    const shift = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
          }).observe({ type: 'layout-shift', buffered: true });
          setTimeout(() => resolve(sum), 500);
        }),
    );
    expect(shift).toBeLessThanOrEqual(0.02);
  });

  await test.step('keys reach every row, and only the visible ones are rendered', async () => {
    await page.keyboard.press('j');
    await expect(row(page, 'Shop 300')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(row(page, 'Shop 301')).toBeFocused();
    await page.keyboard.press('End');
    await expect(row(page, 'Shop 400')).toBeFocused();
    await expect(row(page, 'Shop 400')).toBeInViewport();
    expect(await table.getByRole('row').count()).toBeLessThan(100);
    await page.keyboard.press('ArrowUp');
    await expect(row(page, 'Shop 399')).toBeFocused();
    await page.keyboard.press('Home');
    await expect(row(page, 'Shop 300')).toBeFocused();
    await expect(row(page, 'Shop 300')).toBeInViewport();
  });

  await test.step('the end has the focus when it is reached before its rows are known', async () => {
    let give: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      give = resolve;
    });
    const ofOrder = /monitors\.order/;
    await page.route(ofOrder, async (route) => {
      await held;
      await route.continue();
    });
    await page.reload();
    await running(page);
    await page.keyboard.press('j');
    await expect(row(page, 'Shop 300')).toBeFocused();
    await page.keyboard.press('End');
    await expect(row(page, 'Shop 300')).not.toBeInViewport();
    give();
    await expect(row(page, 'Shop 400')).toBeFocused();
    await page.unroute(ofOrder);
    await page.keyboard.press('Home');
  });

  await test.step('the head of a column sorts', async () => {
    await table.getByRole('button', { name: 'Name' }).press('Enter');
    await expect(page).toHaveURL(/\?sort=name$/);
    await expect(table.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending');
    await expect(table.getByRole('link').first()).toHaveText('Shop 001');
  });

  await test.step('rows are grouped and compact', async () => {
    await page.getByRole('button', { name: 'View' }).press('Enter');
    await page.getByRole('menuitemradio', { name: 'Tag' }).press('Enter');
    await expect(page).toHaveURL(/\?sort=name&group=tag$/);
    await expect(table.getByRole('row').filter({ hasText: /^odd *200$/ })).toBeVisible();
    await page.getByRole('button', { name: 'View' }).press('Enter');
    await page.getByRole('menuitemradio', { name: 'Compact' }).press('Enter');
    await expect(page).toHaveURL(/group=tag&density=compact$/);
    await look(page);
  });

  await test.step('a filter is a chip, and going back takes it away', async () => {
    await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Filter monitors' });
    await dialog.getByRole('combobox', { name: 'Tag' }).press('Enter');
    await page.getByRole('option', { name: 'even (200)' }).press('Enter');
    await dialog.getByRole('button', { name: 'Done' }).press('Enter');
    await expect(page.getByRole('button', { name: 'Remove filter Tag even' })).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: '200 of 400' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('button', { name: 'Remove filter Tag even' })).toHaveCount(0);
    await page.goForward();
    await page.reload();
    await page.getByRole('button', { name: 'Remove filter Tag even' }).press('Enter');
    await expect(page).toHaveURL(/\?sort=name&group=tag&density=compact$/);
  });

  await test.step('selected monitors get a tag, and a deletion is undone', async () => {
    await page.goto(`${sharedProduct.url}/monitors?q=Shop%2030`);
    await running(page);
    const bar = page.getByRole('toolbar', { name: 'Bulk actions' });
    const select = async () => {
      for (const name of ['Shop 300', 'Shop 301']) {
        await row(page, name).focus();
        await page.keyboard.press('x');
      }
      await expect(bar).toContainText('2 selected');
    };
    await select();
    await bar.getByRole('button', { name: 'Tags…' }).press('Enter');
    await page.getByRole('dialog', { name: 'Tags of 2 monitors' }).getByLabel('Tag').fill('Urgent');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Added urgent to 2 monitors')).toBeVisible();
    // Also where it is hidden: at this width, a row with a reason shows one tag.
    await expect(table.getByText('urgent', { exact: true })).toHaveCount(2);
    await select();
    await look(page);
    await bar.getByRole('button', { name: 'Delete…' }).press('Enter');
    await page.getByRole('button', { name: 'Delete 2 monitors' }).press('Enter');
    await expect(page.getByText('Deleting 2 monitors in 20 s')).toBeVisible();
    const deleting = table.getByRole('row').filter({ hasText: 'deleting' });
    await expect(deleting).toHaveCount(2);
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect(page.getByText('Kept 2 monitors')).toBeVisible();
    await expect(deleting).toHaveCount(0);
    // It may have been checked since.
    await expect(table.getByRole('row').filter({ hasText: 'Shop 300' })).toContainText(
      /503, expected|connection failed/,
    );
  });

  await test.step('a copy starts with the settings of the original', async () => {
    await row(page, 'Shop 302').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Duplicate' }).press('Enter');
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Shop 302 (copy)');
    await expect(page.getByLabel('URL', { exact: true })).toHaveValue('http://127.0.0.1:9/');
    await look(page);
  });
  expect(wrong).toEqual([]);
});

test('the palette finds monitors, tags and pages, and acts on the current monitor', async ({ page, sharedProduct }) => {
  const wrong = complaints(page);
  await signUp(page, sharedProduct, 'palette@example.test');
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  const input = palette.getByRole('combobox');
  const selected = palette.getByRole('option', { selected: true });

  await test.step('it opens with the worst monitors, and Escape returns the focus', async () => {
    await page.keyboard.press('j');
    await expect(row(page, 'Shop 300')).toBeFocused();
    await page.keyboard.press('ControlOrMeta+k');
    await expect(input).toBeFocused();
    await expect(selected).toContainText('Shop 300');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(palette).toHaveCount(0);
    await expect(row(page, 'Shop 300')).toBeFocused();
  });

  await test.step('a search that the page has not loaded opens a monitor', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await input.pressSequentially('shop 377');
    await expect(selected).toContainText('Shop 377');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Shop 377');
    await expect(palette).toHaveCount(0);
  });

  await test.step('an action pauses the monitor of the page', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await input.pressSequentially('>pause');
    await expect(selected).toContainText('Pause: Shop 377');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Paused Shop 377')).toBeVisible();
  });

  await test.step('a tag filters the list, and a page opens', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await input.pressSequentially('#odd');
    await expect(selected).toContainText('200 monitors');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/monitors\?tag=odd$/);
    await expect(page.getByRole('button', { name: 'Remove filter Tag odd' })).toBeVisible();
    await page.keyboard.press('ControlOrMeta+k');
    await input.pressSequentially('on-call');
    await expect(selected).toContainText('On-call');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/on-call');
  });

  await test.step('it fills the screen of a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: /^Search/ }).press('Enter');
    await expect(input).toBeFocused();
    expect(await palette.boundingBox()).toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
    await palette.getByRole('button', { name: 'Cancel' }).press('Enter');
    await expect(palette).toHaveCount(0);
  });
  expect(wrong).toEqual([]);
});
