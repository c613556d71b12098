import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import type { IncidentType, MonitorStatus } from '@/server/platform/generated/prisma/enums';
import { newId } from '@/server/platform/ids';
import { PublicStatusPage } from '@/server/status-pages/schema';
import { snapshots } from '@/server/status-pages/snapshots/snapshots';
import { DAY_MS } from '@/server/time/schema';
import { ownState } from '@/tests/support/own-state';
import { until } from '@/tests/support/receivers';
import { type Person, rest, signUp } from '@/tests/support/rest';
import { startStatusServer } from '@/tests/support/servers/status-server';
import { makeMonitor, makePage, PNG, pages } from './support';

const documents = ['', 'feed.atom', 'feed.rss', 'badge.svg', 'api/v2/summary.json', 'version'];
const beside = documents.slice(1);

let person: Person;
let server: Awaited<ReturnType<typeof startStatusServer>>;

beforeAll(async () => {
  server = await startStatusServer();
  person = await signUp('Robin Secretname');
});
afterAll(() => server.close());

function call(document: string, slug: string, headers: Record<string, string> = {}): Promise<Response> {
  const path = document === '' ? '' : `/${document}`;
  return fetch(`${server.url}/status/${encodeURIComponent(slug)}${path}`, {
    headers: { 'accept-encoding': 'identity', ...headers },
  });
}

/** The data of the public page. */
async function read(slug: string): Promise<PublicStatusPage> {
  const snapshot = await snapshots().get(slug);
  if (!snapshot) throw new Error('There is no such page.');
  return snapshot.page;
}

/** Sets a monitor's history to these spans: [status, start in days before now], the last one open. */
async function setHistory(monitorId: string, spans: [MonitorStatus, number][]): Promise<void> {
  const { num } = await db.monitor.findUniqueOrThrow({ where: { id: monitorId } });
  const now = Date.now();
  const starts = spans.map(([, days]) => new Date(now - days * DAY_MS));
  await db.statusSpan.deleteMany({ where: { monitorNum: num } });
  await db.statusSpan.createMany({
    data: spans.map(([status], index) => ({
      monitorNum: num,
      status,
      startedAt: starts[index] ?? new Date(),
      endedAt: starts[index + 1] ?? null,
    })),
  });
  const [status] = spans.at(-1) ?? ['pending'];
  await db.monitorState.update({
    where: ownState(monitorId),
    data: { status, statusSince: starts.at(-1) ?? new Date(), lastCheckedAt: new Date(now) },
  });
}

interface IncidentFacts {
  monitorId: string;
  type?: IncidentType;
  title?: string | null;
  daysAgo?: number;
  resolved?: boolean;
  severity?: 'critical' | 'warning' | 'minor';
}

async function makeIncident({
  monitorId,
  type = 'downtime',
  title = null,
  daysAgo = 0.01,
  resolved,
  severity = 'critical',
}: IncidentFacts) {
  const startedAt = new Date(Date.now() - daysAgo * DAY_MS);
  const resolvedAt = resolved ? new Date(startedAt.getTime() + 600_000) : null;
  const at = (minutes: number) => new Date(startedAt.getTime() + minutes * 60_000);
  const incident = await db.incident.create({
    data: {
      id: newId(),
      teamId: person.teamId,
      monitorId,
      type,
      status: resolved ? 'resolved' : 'open',
      title,
      severity,
      cause: 'connect ECONNREFUSED 10.20.30.40:8443 (secret-cause)',
      startedAt,
      resolvedAt,
    },
  });
  const line = { incidentId: incident.id };
  await db.incidentUpdate.createMany({
    data: [
      { ...line, id: newId(), kind: 'opened', message: 'connect ECONNREFUSED 10.20.30.40:8443', at: at(0) },
      {
        ...line,
        id: newId(),
        kind: 'acknowledged',
        message: 'Robin Secretname acknowledged it.',
        authorName: 'Robin Secretname',
        at: at(1),
      },
      { ...line, id: newId(), kind: 'note', message: 'root password is hunter2', authorName: 'Robin', at: at(2) },
      { ...line, id: newId(), kind: 'note', message: 'Payments may fail.', isPublic: true, at: at(3) },
    ],
  });
  return incident;
}

describe('public status page data', () => {
  it('names the most severe open incident first, and of those the latest', async () => {
    const monitorId = await makeMonitor(person);
    const { slug } = await makePage(person, { monitorIds: [monitorId] });
    await makeIncident({ monitorId, title: 'Older and critical', daysAgo: 2 });
    await makeIncident({ monitorId, title: 'Latest and minor', daysAgo: 0.01, severity: 'minor' });
    await makeIncident({ monitorId, title: 'Later and critical', daysAgo: 1 });
    const { openIncidents } = await read(slug);
    expect(openIncidents.map(({ title }) => title)).toEqual([
      'Later and critical',
      'Older and critical',
      'Latest and minor',
    ]);
  });

  it('contains the current status and the history', async () => {
    const shop = await makeMonitor(person, { name: 'Shop' });
    const search = await makeMonitor(person, { name: 'Search' });
    await setHistory(shop, [
      ['up', 100],
      ['down', 10],
      ['up', 9],
    ]);
    await setHistory(search, [
      ['up', 3],
      ['down', 0.01],
    ]);
    await makeIncident({ monitorId: search, title: 'Search answers nothing' });
    await makeIncident({ monitorId: shop, daysAgo: 10, resolved: true });
    await makeIncident({ monitorId: shop, daysAgo: 120, resolved: true });
    await makeIncident({ monitorId: shop, type: 'certificate', title: 'The certificate ends soon' });
    const elsewhere = await makeMonitor(person, { name: 'Elsewhere' });
    await makeIncident({ monitorId: elsewhere });
    const { slug } = await makePage(person, { title: 'Northwind', monitorIds: [search, shop] });

    const page = await read(slug);
    expect(page).toMatchObject({ title: 'Northwind', overall: 'down', headline: 'Search is down' });
    expect(page.components.map(({ name, status }) => [name, status])).toEqual([
      ['Search', 'down'],
      ['Shop', 'up'],
    ]);
    const [searching, shopping] = page.components;
    expect(shopping?.uptime).toBeCloseTo(89 / 90, 3);
    expect(shopping?.days).toHaveLength(90);
    expect(shopping?.days.filter((day) => day === 'down').length).toBeGreaterThanOrEqual(1);
    expect(shopping?.days.at(-1)).toBe('up');
    expect(searching?.days.at(-1)).toBe('down');
    expect(searching?.days[0]).toBeNull();
    expect(page.openIncidents.map(({ title, component }) => [title, component])).toEqual([
      ['Search answers nothing', 'Search'],
    ]);
    expect(page.pastIncidents.map(({ title }) => title)).toEqual(['Shop was down']);
    expect(page.openIncidents[0]?.updates.map(({ kind, message }) => [kind, message])).toEqual([
      ['note', 'Payments may fail.'],
      ['acknowledged', 'We are working on it.'],
      ['opened', 'We are aware of a problem.'],
    ]);
  });

  it('contains only published notes', async () => {
    const monitorId = await makeMonitor(person);
    const incident = await makeIncident({ monitorId });
    await db.incidentUpdate.deleteMany({ where: { incidentId: incident.id } });
    const { slug } = await makePage(person, { monitorIds: [monitorId] });
    const path = `/api/v1/incidents/${incident.id}/updates`;
    for (const body of [
      { message: 'For us' },
      { message: 'For us too', isPublic: false },
      { message: 'For all', isPublic: true },
    ]) {
      expect((await rest('POST', path, { token: person.token, body })).status).toBe(201);
    }
    expect((await read(slug)).openIncidents[0]?.updates.map(({ message }) => message)).toEqual(['For all']);
    const wrong = await rest('POST', path, { token: person.token, body: { message: 'x', isPublic: 'true' } });
    expect([wrong.status, wrong.body.error.issues[0].path]).toEqual([400, 'isPublic']);
  });

  it('contains the latest notes of all incidents that fit on a page, and the titles of all', async () => {
    const monitorId = await makeMonitor(person);
    const { slug } = await makePage(person, { monitorIds: [monitorId] });
    const { body } = await rest('POST', '/api/v1/incidents', {
      token: person.token,
      body: { title: 'First', monitorId },
    });
    const noteOf = (index: number, length: number) => ({
      id: newId(),
      incidentId: body.incident.id,
      kind: 'note' as const,
      isPublic: true,
      authorName: 'Robin',
      message: `${index} ${'a'.repeat(length)}`,
      at: new Date(Date.now() + index),
    });
    await db.incidentUpdate.createMany({ data: Array.from({ length: 600 }, (_, index) => noteOf(index, 10)) });
    const [first] = (await read(slug)).openIncidents;
    expect(first?.title).toBe('First');
    expect(first?.updates).toHaveLength(500);
    expect(first?.updates[0]?.message).toMatch(/^599 /);
    await db.incidentUpdate.createMany({
      data: Array.from({ length: 60 }, (_, index) => noteOf(1_000 + index, 3_990)),
    });
    snapshots().drop(person.teamId);
    const long = (await read(slug)).openIncidents[0]?.updates.map(({ message }) => message) ?? [];
    expect(long).toHaveLength(50);
    expect(long[0]).toMatch(/^1059 /);
  });

  it('contains no address of a monitor named after it, unless somebody entered it', async () => {
    const named = (name: string) => makeMonitor(person, { name, config: { url: 'https://internal-host.example/' } });
    const monitorIds = [await named('internal-host.example'), await named('Shop'), await named('10.0.0.7:8443')];
    const [first = '', second = ''] = monitorIds;
    await makeIncident({ monitorId: first, title: 'internal-host.example is down' });
    await makeIncident({ monitorId: second, title: 'Shop is degraded', resolved: true });
    const page = await makePage(person, { monitorIds });
    const names = async () => (await read(page.slug)).components.map(({ name }) => name);
    expect(await names()).toEqual(['Website', 'Shop', 'Website 2']);
    const texts = await Promise.all(documents.map(async (each) => (await call(each, page.slug)).text()));
    expect(texts.join()).not.toMatch(/internal-host|10\.0\.0\.7/);
    await pages(person, 'PUT', `/${page.id}`, { displayNames: { [first]: 'Search', [second]: 'shop.example' } });
    expect(await names()).toEqual(['Search', 'shop.example', 'Website']);
    const { openIncidents, pastIncidents } = await read(page.slug);
    expect([...openIncidents, ...pastIncidents].map(({ title }) => title)).toEqual([
      'Search is down',
      'shop.example was degraded',
    ]);
  });

  it('contains no addresses, secrets, causes, people, notes or IDs', async () => {
    const config = {
      url: 'https://internal-host.example:8443/secret-path?token=secret-query',
      headers: { 'x-api-key': 'secret-header' },
      auth: { kind: 'bearer', token: 'secret-bearer-token' },
    };
    const monitorId = await makeMonitor(person, {
      name: 'Shop',
      config,
      tags: ['secret-tag'],
      externalId: 'secret-ext',
    });
    await setHistory(monitorId, [['down', 1]]);
    await db.monitorState.update({
      where: ownState(monitorId),
      data: { lastError: 'secret-error from internal-host' },
    });
    const incident = await makeIncident({ monitorId });
    const statusPage = await makePage(person, { monitorIds: [monitorId] });
    await db.maintenanceWindow.create({
      data: {
        id: newId(),
        teamId: person.teamId,
        title: 'Moving',
        description: 'secret-plan',
        startsAt: new Date(),
        endsAt: new Date(Date.now() + DAY_MS),
        monitors: { create: { monitorId } },
      },
    });
    const page = await read(statusPage.slug);
    expect(page.maintenances).toMatchObject([{ title: 'Moving' }]);
    const texts = await Promise.all(documents.map(async (each) => (await call(each, statusPage.slug)).text()));
    const inside = [
      ...['secret', 'internal-host', '8443', '10.20.30.40', 'ECONNREFUSED', 'hunter2', 'Robin', person.email],
      ...[monitorId, incident.id, statusPage.id, person.teamId, person.userId],
    ];
    for (const text of [JSON.stringify(page), ...texts]) for (const word of inside) expect(text).not.toContain(word);
    expect(texts.join()).toContain('Payments may fail.');
  });

  it('matches its schema, which has no other field', () => {
    const extra = PublicStatusPage.safeParse({ teamId: 'x' });
    expect(extra.error?.issues.some(({ code }) => code === 'unrecognized_keys')).toBe(true);
  });

  it('is unknown if no check has confirmed the status for too long', async () => {
    const monitorId = await makeMonitor(person);
    await setHistory(monitorId, [['up', 5]]);
    const { slug } = await makePage(person, { monitorIds: [monitorId] });
    expect((await read(slug)).overall).toBe('operational');
    await db.monitorState.update({
      where: ownState(monitorId),
      data: { lastCheckedAt: new Date(Date.now() - DAY_MS) },
    });
    await until(async () => (await read(slug)).overall === 'unknown');
    expect((await read(slug)).components[0]?.status).toBe('unknown');
  });
});

describe('status page change', () => {
  it('shows with the next request if it is of the page, and within 2 s if it is of a monitor', async () => {
    const monitorId = await makeMonitor(person, { name: 'Shop' });
    await setHistory(monitorId, [['up', 1]]);
    const page = await makePage(person, { monitorIds: [monitorId] });
    const before = await read(page.slug);
    await pages(person, 'PUT', `/${page.id}`, { title: 'Another' });
    const renamed = await read(page.slug);
    expect(renamed.title).toBe('Another');
    expect(renamed.version).not.toBe(before.version);
    expect(before.components[0]?.name).toBe('Shop');
    await db.monitor.update({ where: { id: monitorId }, data: { name: 'Store' } });
    await until(async () => (await read(page.slug)).components[0]?.name === 'Store', 2_000);
    expect((await read(page.slug)).version).not.toBe(renamed.version);
  });

  it('does not happen after a check without a change', async () => {
    const monitorId = await makeMonitor(person);
    await setHistory(monitorId, [['up', 1]]);
    const { slug } = await makePage(person, { monitorIds: [monitorId] });
    const { version, checkedAt } = await read(slug);
    await db.monitorState.update({ where: ownState(monitorId), data: { lastCheckedAt: new Date(Date.now() + 1_000) } });
    await until(async () => (await read(slug)).checkedAt !== checkedAt, 2_000);
    expect((await read(slug)).version).toBe(version);
  });

  it('moves the page with its slug', async () => {
    const page = await makePage(person);
    await read(page.slug);
    await pages(person, 'PUT', `/${page.id}`, { slug: `${page.slug}-moved` });
    expect((await call('api/v2/summary.json', page.slug)).status).toBe(404);
    expect((await call('api/v2/summary.json', `${page.slug}-moved`)).status).toBe(200);
  });
});

describe('private, deleted or unknown status page', () => {
  it('disappears everywhere at once', async () => {
    const page = await makePage(person);
    await pages(person, 'PUT', `/${page.id}/logo`, { data: PNG.toString('base64') });
    const all = [...documents, 'logo'];
    const statuses = async () => Promise.all(all.map(async (each) => (await call(each, page.slug)).status));
    const gone = async () => {
      expect(await statuses()).toEqual(Array(7).fill(404));
      expect(await snapshots().get(page.slug)).toBeNull();
    };
    expect(await statuses()).toEqual(Array(7).fill(200));
    await pages(person, 'PUT', `/${page.id}`, { isPublic: false });
    await gone();
    await pages(person, 'PUT', `/${page.id}`, { isPublic: true });
    expect(await statuses()).toEqual(Array(7).fill(200));
    await pages(person, 'DELETE', `/${page.id}`);
    await gone();
  });

  it.each([...documents, 'logo'])('answers with the error envelope: %s', async (document) => {
    for (const slug of ['nobody', 'No Such', '', 'a\0b', 'x'.repeat(5_000), '../api']) {
      const answer = await call(document, slug);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({ error: { code: 'NOT_FOUND', message: expect.any(String), status: 404 } });
    }
  });
});

describe('feeds, badge and JSON', () => {
  const types: Record<string, string> = {
    'feed.atom': 'application/atom+xml; charset=utf-8',
    'feed.rss': 'application/rss+xml; charset=utf-8',
    'badge.svg': 'image/svg+xml; charset=utf-8',
    'api/v2/summary.json': 'application/json; charset=utf-8',
    version: 'application/json; charset=utf-8',
  };

  it.each(beside)('allows any origin and revalidates by ETag: %s', async (document) => {
    const { slug } = await makePage(person);
    const answer = await call(document, slug);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': types[document],
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    });
    const etag = answer.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    const again = await call(document, slug, { 'if-none-match': `"other", W/${etag}` });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('lets a script of another origin send conditional requests', async () => {
    const answer = await fetch(`${server.url}/status/any/feed.atom`, { method: 'OPTIONS' });
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'if-none-match',
    });
  });
});
