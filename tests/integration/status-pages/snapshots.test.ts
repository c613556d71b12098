import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Snapshots } from '@/server/status-pages/snapshots/snapshots';
import { until } from '@/tests/support/receivers';
import { type Person, rest, signUp } from '@/tests/support/rest';
import { startStatusServer } from '@/tests/support/servers/status-server';
import { makeMonitor, makePage, pages } from './support';

// Two web processes: one makes a change, the other is notified of it.

let person: Person;
let own: Awaited<ReturnType<typeof startStatusServer>>;
let other: Awaited<ReturnType<typeof startStatusServer>>;

beforeAll(async () => {
  own = await startStatusServer();
  other = await startStatusServer(new Snapshots());
  person = await signUp();
});
afterAll(() => Promise.all([own.close(), other.close()]));

const see = async (server: typeof own, slug: string, path = '') =>
  (await fetch(`${server.url}/status/${slug}${path}`)).text();

describe('status page from its snapshot', () => {
  it('shows an incident soon, in every process and document', async () => {
    const monitorId = await makeMonitor(person, { name: 'Shop' });
    const { slug } = await makePage(person, { monitorIds: [monitorId] });
    for (const server of [own, other]) expect(await see(server, slug)).not.toContain('Orders are late');
    const body = { title: 'Orders are late', monitorId };
    expect((await rest('POST', '/api/v1/incidents', { token: person.token, body })).status).toBe(201);
    for (const server of [own, other]) {
      await until(async () => (await see(server, slug)).includes('Orders are late'), 5_000);
    }
    for (const path of ['/feed.atom', '/feed.rss', '/api/v2/incidents.json']) {
      expect(await see(other, slug, path)).toContain('Orders are late');
    }
  });

  it('disappears with the next request if it becomes private, and soon in other processes', async () => {
    const page = await makePage(person);
    const statuses = () =>
      Promise.all([own, other].map(async ({ url }) => (await fetch(`${url}/status/${page.slug}`)).status));
    expect(await statuses()).toEqual([200, 200]);
    await pages(person, 'PUT', `/${page.id}`, { isPublic: false });
    expect((await statuses())[0]).toBe(404);
    await until(async () => (await statuses())[1] === 404, 5_000);
  });

  it('is compressed, cached for a moment, and not sent again if unchanged', async () => {
    const monitorId = await makeMonitor(person, { name: 'Shop' });
    const { slug } = await makePage(person, { monitorIds: [monitorId] });
    const url = `${own.url}/status/${slug}`;
    const answer = await fetch(url, { headers: { 'accept-encoding': 'br' } });
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-encoding': 'br',
      'cache-control': 'public, max-age=1, stale-while-revalidate=10',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self' 'sha256-/),
    });
    expect(await answer.text()).toContain('<h3 class="grow">Shop</h3>');
    const again = await fetch(url, { headers: { 'if-none-match': headers.etag ?? '' } });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', headers.etag]);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text(), Number(head.headers.get('content-length')) > 0]).toEqual([200, '', true]);
  });

  it("loads immutable files, under another version's name too during an upgrade", async () => {
    const { slug } = await makePage(person);
    const [style = ''] = /\/status\/assets\/status-[0-9a-f]{10}\.css/.exec(await see(own, slug)) ?? [];
    const kept = await fetch(own.url + style);
    expect([kept.status, kept.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    const earlier = await fetch(own.url + style.replace(/-[0-9a-f]{10}/, '-0123456789'));
    expect([earlier.status, earlier.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect((await fetch(`${own.url}/status/assets/nothing.css`)).status).toBe(404);
  });
});
