import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { renderPostmortems } from '@/server/incidents/postmortems/render-postmortems';
import { db } from '@/server/platform/db';
import { readPublicPage } from '@/server/status-pages/read-public-page';
import { type HttpReceiver, startHttpReceiver } from '@/tests/support/receivers';
import { as, httpMonitor, join, makeKey, type Person, rest, signUp } from '@/tests/support/rest';

// Operations on resolved incidents: reopening, a postmortem, a public link.

let target: HttpReceiver;
let person: Person;
let outsider: Person;
let viewer: Person;
let readKey: string;

const incidents = '/api/v1/incidents';
const call = (method: string, path: string, body?: unknown) => as(person.token)(method, path, body);
const act = (id: string, action: string) => call('POST', `${incidents}/${id}/${action}`);
const events = async (incidentId: string) =>
  (await db.delivery.findMany({ where: { incidentId }, orderBy: { id: 'asc' } })).map(({ event }) => event);

beforeAll(async () => {
  target = await startHttpReceiver();
  person = await signUp('Robin');
  await db.team.updateMany({ where: { id: person.teamId }, data: { plan: 'self_hosted' } });
  outsider = await signUp();
  viewer = await join(person, 'viewer');
  readKey = await makeKey(person, ['read']);
  const config = { url: `${target.url}/hook` };
  await call('POST', '/dashboard/notification-channels', { type: 'webhook', name: 'Hook', config });
});
beforeEach(() => target.respond(() => ({ status: 503 })));
afterAll(() => target.close());

async function openOne(body: Record<string, unknown> = {}): Promise<string> {
  return (await call('POST', incidents, { title: 'Late', ...body })).body.incident.id;
}

async function resolvedOne(body: Record<string, unknown> = {}): Promise<string> {
  const id = await openOne(body);
  await act(id, 'resolve');
  return id;
}

/** A monitor that is down, with its incident. */
async function makeDown() {
  const config = { url: target.url, confirm: { failures: 1, recoveries: 1 } };
  const { monitor } = (await call('POST', '/api/v1/monitors', httpMonitor({ config }))).body;
  const check = () => call('POST', `/dashboard/monitors/${monitor.id}/check`);
  await check();
  const { id } = await db.incident.findFirstOrThrow({ where: { monitorId: monitor.id } });
  return { monitorId: monitor.id as string, id, check };
}

describe('reopening an incident', () => {
  it('opens it again, and notifies each channel once per reopening with the name of the person', async () => {
    const id = await openOne();
    await act(id, 'acknowledge');
    for (const _ of [1, 2]) {
      await act(id, 'resolve');
      const { status, body } = await act(id, 'reopen');
      expect([status, body.incident.status, body.incident.resolvedAt]).toEqual([200, 'open', null]);
    }
    expect(await events(id)).toEqual([
      ...['incident.opened', 'incident.acknowledged', 'incident.resolved', 'incident.reopened'],
      ...['incident.resolved', 'incident.reopened'],
    ]);
    const [last] = await db.delivery.findMany({ where: { incidentId: id }, orderBy: { id: 'desc' }, take: 1 });
    expect(last?.payload).toMatchObject({ data: { actor: 'Robin', incident: { status: 'open' } } });
    const lines = await db.incidentUpdate.findMany({ where: { incidentId: id, kind: 'reopened' } });
    expect(lines.map(({ message }) => message)).toEqual([1, 2].map(() => 'Robin reopened the incident.'));
    await act(id, 'acknowledge');
    expect((await events(id)).at(-1)).toBe('incident.acknowledged');
  });

  it('is refused while checks have an incident of the monitor open, also if both happen at once', async () => {
    const { id, check } = await makeDown();
    await act(id, 'resolve');
    const [reopened] = await Promise.all([act(id, 'reopen'), check()]);
    expect([200, 409]).toContain(reopened.status);
    const other = await makeDown();
    await act(other.id, 'resolve');
    await other.check();
    const { status, body } = await act(other.id, 'reopen');
    expect([status, body.error.code]).toEqual([409, 'INCIDENT_OPEN']);
    expect(body.error.message).toBe('“Shop is down” is open. Continue there, or resolve it first.');
  });

  it('is resolved by people alone, and a new failure opens another incident', async () => {
    const { id, monitorId, check } = await makeDown();
    target.respond(() => ({ status: 200 }));
    await check();
    await act(id, 'reopen');
    await check();
    expect(await db.incident.findUnique({ where: { id } })).toMatchObject({ status: 'open' });
    // So that these few changes are no flapping.
    await db.monitorState.updateMany({ where: { monitorId }, data: { changes: [] } });
    target.respond(() => ({ status: 503 }));
    await check();
    const rows = await db.incident.findMany({ where: { monitorId }, orderBy: { id: 'asc' } });
    expect(rows.map(({ status }) => status)).toEqual(['open', 'open']);
    target.respond(() => ({ status: 200 }));
    await check();
    const after = await db.incident.findMany({ where: { monitorId }, orderBy: { id: 'asc' } });
    expect(after.map(({ status }) => status)).toEqual(['open', 'resolved']);
  });

  it('happens once for concurrent requests', async () => {
    const id = await resolvedOne();
    const answers = await Promise.all(Array.from({ length: 4 }, () => act(id, 'reopen')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect(await events(id)).toEqual(['incident.opened', 'incident.resolved', 'incident.reopened']);
  });

  it('is refused for an open incident, to other teams, viewers and read-only keys', async () => {
    const id = await openOne();
    expect((await act(id, 'reopen')).body.error.code).toBe('VALIDATION_ERROR');
    await act(id, 'resolve');
    const path = `${incidents}/${id}/reopen`;
    expect((await as(outsider.token)('POST', path)).status).toBe(404);
    expect((await as(viewer.token)('POST', path)).body.error.code).toBe('FORBIDDEN');
    expect((await as(readKey)('POST', path)).body.error.code).toBe('INSUFFICIENT_SCOPE');
  });
});

describe('postmortem', () => {
  const preview = '/api/v1/postmortem-preview';
  const path = (id: string) => `${incidents}/${id}/postmortem`;
  const put = (id: string, body: unknown) => call('PUT', path(id), body);

  it('is a draft that viewers do not see, until it is published', async () => {
    const id = await resolvedOne();
    expect((await call('GET', path(id))).body).toEqual({ postmortem: null });
    const { status, body } = await put(id, { body: '# Why' });
    expect([status, body.postmortem]).toEqual([
      200,
      {
        body: '# Why',
        html: '<h1>Why</h1>\n',
        isPublished: false,
        authorName: 'Robin',
        publishedAt: null,
        updatedAt: expect.any(String),
      },
    ]);
    const seen = async (token: string) => [
      (await as(token)('GET', path(id))).body.postmortem?.body ?? null,
      (await as(token)('GET', `${incidents}/${id}/detail`)).body.postmortem,
    ];
    expect(await seen(person.token)).toEqual(['# Why', 'draft']);
    expect(await seen(viewer.token)).toEqual([null, null]);
    const listed = async () =>
      (await call('GET', `${incidents}?postmortem=published`)).body.incidents.map((each: { id: string }) => each.id);
    expect(await listed()).not.toContain(id);
    await put(id, { body: '# Why', isPublished: true });
    expect(await listed()).toContain(id);
    expect(await seen(viewer.token)).toEqual(['# Why', 'published']);
    const lines = await db.incidentUpdate.findMany({ where: { incidentId: id, kind: 'changed' } });
    expect(lines.map(({ message }) => message)).toEqual(['Robin published the postmortem.']);
    expect(await events(id)).toEqual(['incident.opened', 'incident.resolved']);
    expect((await call('DELETE', path(id))).body).toEqual({ ok: true });
    expect(await seen(person.token)).toEqual([null, null]);
    expect((await call('DELETE', path(id))).status).toBe(404);
  });

  it('overwrites no version that the author has not seen', async () => {
    const id = await resolvedOne();
    const first = (await put(id, { body: 'One' })).body.postmortem;
    const writes = await Promise.all(
      ['Two', 'Three', 'Four'].map((body) => put(id, { body, ifUpdatedAt: first.updatedAt })),
    );
    expect(writes.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const stale = await put(id, { body: 'Five', ifUpdatedAt: new Date(0).toISOString() });
    expect([stale.body.error.code, stale.body.error.message]).toEqual([
      'EDIT_CONFLICT',
      `${person.email} changed this since you loaded it.`,
    ]);
  });

  it('writes nothing where nothing changes', async () => {
    const id = await resolvedOne();
    const first = (await put(id, { body: 'One' })).body.postmortem;
    expect((await put(id, { body: 'One' })).body.postmortem).toEqual(first);
    expect(await db.auditEntry.count({ where: { targetId: id, action: 'incident.postmortem' } })).toBe(1);
  });

  it.each([[''], ['  '], [7], ['x'.repeat(50_001)]])('rejects a text: %j', async (text) => {
    expect((await put(await openOne(), { body: text })).body.error.issues[0].path).toBe('body');
  });

  it.each([
    ['emphasis', '*a_'.repeat(16_000)],
    ['table cells', `|${'a|'.repeat(200)}\n|${'-|'.repeat(200)}\n${'|\n'.repeat(24_000)}`],
    ['quotes', '> '.repeat(25_000)],
    ['lists', `${'- '.repeat(24_000)}a`],
  ])('is refused at its text when it has too many or too deep %s, when saved and in a preview', async (_what, text) => {
    const id = await openOne();
    for (const { status, body } of [await put(id, { body: text }), await call('POST', preview, { body: text })]) {
      expect([status, body.error.code, body.error.issues[0].path]).toEqual([400, 'VALIDATION_ERROR', 'body']);
    }
  });

  it('is previewed without being stored', async () => {
    const count = await db.incidentPostmortem.count();
    expect((await call('POST', preview, { body: '**Now**' })).body).toEqual({
      html: '<p><strong>Now</strong></p>\n',
    });
    expect(await db.incidentPostmortem.count()).toBe(count);
  });

  it('is rendered by a job when its HTML is missing, and is plain text until then or when it exceeds a limit', async () => {
    const [old, costly] = [await openOne(), await openOne()];
    const rows = [
      { incidentId: old, body: '# Old' },
      { incidentId: costly, body: '*a_'.repeat(16_000) },
    ];
    await db.incidentPostmortem.createMany({ data: rows.map((row) => ({ ...row, authorName: 'Robin' })) });
    expect((await call('GET', path(old))).body.postmortem.html).toBeNull();
    await renderPostmortems.run({}, { signal: new AbortController().signal, attempt: 1, priority: 0 });
    expect((await call('GET', path(old))).body.postmortem.html).toBe('<h1>Old</h1>\n');
    expect((await call('GET', path(costly))).body.postmortem.html).toBeNull();
    expect(await db.incidentPostmortem.count({ where: { htmlVersion: 0 } })).toBe(0);
  });

  it('shows no HTML of another version of the renderer', async () => {
    const id = await openOne();
    await put(id, { body: 'One' });
    const other = { html: '<script>alert(1)</script>', htmlVersion: 999 };
    await db.incidentPostmortem.update({ where: { incidentId: id }, data: other });
    expect((await call('GET', path(id))).body.postmortem.html).toBeNull();
  });

  it('is not found by other teams, and read-only for viewers and read-only keys', async () => {
    const id = await resolvedOne();
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { body: 'Mine' } : undefined;
      expect((await as(outsider.token)(method, path(id), body)).status).toBe(404);
      if (method === 'GET') continue;
      expect((await as(viewer.token)(method, path(id), body)).body.error.code).toBe('FORBIDDEN');
      expect((await as(readKey)(method, path(id), body)).body.error.code).toBe('INSUFFICIENT_SCOPE');
    }
  });
});

describe('public link of an incident', () => {
  const share = `share`;
  const read = (token: string) => rest('GET', `/auth/shared-incident/${token}`);

  it('shows what is public, and nothing else', async () => {
    const monitor = (await call('POST', '/api/v1/monitors', httpMonitor({ name: 'Secret monitor' }))).body.monitor;
    const id = await openOne({ title: 'Payments are late', cause: 'secret cause', monitorId: monitor.id });
    await call('POST', `${incidents}/${id}/updates`, { message: 'secret note' });
    await call('POST', `${incidents}/${id}/updates`, { message: 'We found it.', isPublic: true });
    await call('PATCH', `${incidents}/${id}`, { severity: 'minor' });
    await call('PUT', `${incidents}/${id}/postmortem`, { body: 'secret draft' });
    const { body } = await act(id, share);
    expect(body.share.url).toMatch(new RegExp(`/shared/${body.share.token}$`));
    const shared = (await read(body.share.token)).body;
    expect(shared).toEqual({
      incident: {
        title: 'Payments are late',
        status: 'open',
        startedAt: expect.any(String),
        resolvedAt: null,
        updates: [
          { kind: 'note', message: 'We found it.', at: expect.any(String) },
          { kind: 'opened', message: 'We are aware of a problem.', at: expect.any(String) },
        ],
        postmortem: null,
        postmortemHtml: null,
      },
    });
    expect(JSON.stringify(shared)).not.toMatch(/secret|Robin|Hook/i);
    await call('PUT', `${incidents}/${id}/postmortem`, { body: 'What we learnt', isPublished: true });
    expect((await read(body.share.token)).body.incident).toMatchObject({
      postmortem: 'What we learnt',
      postmortemHtml: '<p>What we learnt</p>\n',
    });
  });

  it('is stored as a hash, and ends when it is replaced or revoked', async () => {
    const id = await openOne();
    const { token } = (await act(id, share)).body.share;
    expect(JSON.stringify(await db.incident.findUnique({ where: { id } }))).not.toContain(token);
    expect((await call('GET', `${incidents}/${id}/detail`)).body.isShared).toBe(true);
    const next = (await act(id, share)).body.share.token;
    expect((await read(token)).status).toBe(404);
    expect((await read(next)).status).toBe(200);
    for (const _ of [1, 2]) expect((await call('DELETE', `${incidents}/${id}/share`)).body).toEqual({ ok: true });
    expect((await read(next)).status).toBe(404);
    expect((await read('nonsense')).status).toBe(404);
    const entries = await db.auditEntry.findMany({ where: { targetId: id }, orderBy: { id: 'asc' } });
    expect(entries.map(({ action }) => action)).toEqual([
      ...['incident.create', 'incident.share', 'incident.share', 'incident.unshare'],
    ]);
    expect(JSON.stringify(entries)).not.toContain(next);
  });

  it('has one valid token after concurrent requests', async () => {
    const id = await openOne();
    const answers = await Promise.all(Array.from({ length: 4 }, () => act(id, share)));
    const statuses = await Promise.all(answers.map(async ({ body }) => (await read(body.share.token)).status));
    expect(statuses.sort()).toEqual([200, 404, 404, 404]);
  });

  it('is created and revoked by members with write access', async () => {
    const path = `${incidents}/${await openOne()}/share`;
    for (const method of ['POST', 'DELETE']) {
      expect((await as(outsider.token)(method, path)).status).toBe(404);
      expect((await as(viewer.token)(method, path)).body.error.code).toBe('FORBIDDEN');
      expect((await as(readKey)(method, path)).body.error.code).toBe('INSUFFICIENT_SCOPE');
    }
  });

  it('shows reopening on status pages in words of our own', async () => {
    const monitor = (await call('POST', '/api/v1/monitors', httpMonitor({ name: 'Till' }))).body.monitor;
    await call('POST', '/dashboard/status-pages', { slug: 'till-page', title: 'Till', monitorIds: [monitor.id] });
    const id = await resolvedOne({ monitorId: monitor.id });
    await act(id, 'reopen');
    const page = (await readPublicPage(db, 'till-page'))?.page;
    expect(page?.openIncidents[0]?.updates.map(({ kind, message }) => [kind, message])).toEqual([
      ['reopened', 'This incident has been reopened.'],
      ['resolved', 'This incident has been resolved.'],
      ['opened', 'We are aware of a problem.'],
    ]);
  });
});
