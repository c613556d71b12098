import { beforeAll, describe, expect, it } from 'vitest';
import { MOST_EXAMINED } from '@/server/incidents/list-queries';
import { db } from '@/server/platform/db';
import type { IncidentSeverity, IncidentStatus, IncidentType } from '@/server/platform/generated/prisma/enums';
import { newId } from '@/server/platform/ids';
import { httpMonitor, join, type Person, rest, signUp } from '@/tests/support/rest';

/** More than are matched by key. */
const MANY = 600;

let person: Person;
let colleague: Person;
let outsider: Person;
let shop: string;
let till: string;
const ids: Record<string, string> = {};

const call = async (path: string, token = person.token) => (await rest('GET', path, { token })).body;
const names = (incidents: { id: string }[]) =>
  incidents.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? id);

interface Facts {
  status?: IncidentStatus;
  severity?: IncidentSeverity;
  type?: IncidentType;
  monitorId?: string;
  assigneeId?: string;
  title?: string;
  cause?: string;
}

async function add(name: string, minute: number, { status = 'open', type = 'manual', ...facts }: Facts) {
  const id = newId();
  ids[name] = id;
  const at = new Date(Date.UTC(2026, 10, 17, 3, minute));
  await db.incident.create({
    data: {
      id,
      teamId: person.teamId,
      status,
      type,
      title: name,
      ...facts,
      startedAt: at,
      openKey: status === 'resolved' ? null : `by-hand:${id}`,
      resolvedAt: status === 'resolved' ? new Date(at.getTime() + 60_000) : null,
    },
  });
}

beforeAll(async () => {
  person = await signUp();
  colleague = await join(person, 'member');
  outsider = await signUp();
  const make = async (body: object) =>
    (await rest('POST', '/api/v1/monitors', { token: person.token, body })).body.monitor.id;
  shop = await make(httpMonitor({ name: 'Shop 100%_new', tags: ['prod'] }));
  till = await make(httpMonitor({ name: 'Till' }));
  await add('old open', 1, { severity: 'minor', monitorId: shop, type: 'downtime' });
  await add('resolved', 9, { status: 'resolved', cause: 'A cable\\plug' });
  await add('acknowledged', 5, { status: 'acknowledged', assigneeId: colleague.userId, monitorId: till });
  await add('new open', 7, { severity: 'warning' });
  await add('second resolved', 9, { status: 'resolved', monitorId: till, title: 'Nothing_special' });
  await db.incidentMonitor.create({ data: { incidentId: ids['new open'] ?? '', monitorId: shop } });
});

/** All pages of a list. */
async function readAll(query: string, limit: number) {
  const found: { id: string }[] = [];
  for (let cursor = ''; ; ) {
    const { incidents, nextCursor } = await call(`/api/v1/incidents?${query}&limit=${limit}${cursor}`);
    found.push(...incidents);
    if (nextCursor === null) return names(found);
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
  }
}

describe('list of incidents by status', () => {
  it.each([1, 2, 3, 50])(
    'has open ones first across pages of %i, then acknowledged, then resolved ones',
    async (limit) => {
      const listed = await readAll('order=status', limit);
      expect(listed.slice(0, 3)).toEqual(['new open', 'old open', 'acknowledged']);
      // Both began at the same time.
      expect(listed.slice(3).sort()).toEqual(['resolved', 'second resolved']);
    },
  );

  it('pages within one status, and through the unresolved ones', async () => {
    expect(await readAll('order=status&status=open', 1)).toEqual(['new open', 'old open']);
    expect(await readAll('order=status&status=unresolved', 1)).toEqual(['new open', 'old open', 'acknowledged']);
    expect(new Set(await readAll('order=status&status=resolved', 1))).toEqual(new Set(['resolved', 'second resolved']));
  });

  it.each(['nonsense', 'open', `open_2026-11-17T03:00:00.000Z`, `lost_2026-11-17T03:00:00.000Z_${newId()}`])(
    'rejects the cursor %s',
    async (cursor) => {
      const { error } = await call(`/api/v1/incidents?order=status&cursor=${encodeURIComponent(cursor)}`);
      expect(error.issues[0].path).toBe('cursor');
    },
  );

  it('reads a page by an index, without sorting', async () => {
    const plan = await db.$transaction(async (tx) => {
      await tx.$executeRaw`set local enable_seqscan = off`;
      return tx.$queryRawUnsafe<Record<string, string>[]>(
        `explain select id from incidents where team_id = '${person.teamId}' and status = 'open' ` +
          `and started_at <= now() and (started_at < now() or id < 'x') order by started_at desc, id desc limit 51`,
      );
    });
    const text = plan.map((row) => Object.values(row)[0]).join('\n');
    expect(text).toContain('incidents_team_id_status_started_at_id_idx');
    expect(text).not.toContain('Sort');
  });
});

describe('list of incidents by severity', () => {
  const expected = ['acknowledged', 'new open', 'old open'];

  it.each([1, 2, 3, 50])(
    'has critical unresolved ones first across pages of %i, and resolved ones last',
    async (limit) => {
      const listed = await readAll('order=severity', limit);
      expect(listed.slice(0, 3)).toEqual(expected);
      expect(listed.slice(3).sort()).toEqual(['resolved', 'second resolved']);
    },
  );

  it('has open ones before acknowledged ones of the same severity, newest first', async () => {
    const other = await signUp();
    const facts = [
      { title: 'minor', severity: 'minor', status: 'open', minute: 9 },
      { title: 'resolved critical', severity: 'critical', status: 'resolved', minute: 8 },
      { title: 'acknowledged warning', severity: 'warning', status: 'acknowledged', minute: 7 },
      { title: 'old warning', severity: 'warning', status: 'open', minute: 1 },
      { title: 'new warning', severity: 'warning', status: 'open', minute: 2 },
      { title: 'resolved minor', severity: 'minor', status: 'resolved', minute: 10 },
    ] as const;
    await db.incident.createMany({
      data: facts.map(({ minute, ...each }) => {
        const id = newId();
        const openKey = each.status === 'resolved' ? null : `by-hand:${id}`;
        return {
          ...each,
          id,
          openKey,
          teamId: other.teamId,
          type: 'manual',
          startedAt: new Date(Date.UTC(2026, 10, 17, 3, minute)),
        };
      }),
    });
    const titles: string[] = [];
    for (let cursor = ''; ; ) {
      const { incidents, nextCursor } = await call(`/api/v1/incidents?order=severity&limit=2${cursor}`, other.token);
      titles.push(...incidents.map(({ title }: { title: string }) => title));
      if (nextCursor === null) break;
      cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
    }
    expect(titles).toEqual([
      'new warning',
      'old warning',
      'acknowledged warning',
      'minor',
      'resolved critical',
      'resolved minor',
    ]);
  });

  it('combines with filters of status, severity and text', async () => {
    expect(await readAll('order=severity&status=open', 1)).toEqual(['new open', 'old open']);
    expect(await readAll('order=severity&status=unresolved', 1)).toEqual(expected);
    expect(await readAll('order=severity&severity=minor', 1)).toEqual(['old open']);
    expect(await readAll('order=severity&q=open', 1)).toEqual(['new open', 'old open']);
  });

  it.each(['open', `open_2026-11-17T03:00:00.000Z_${newId()}`, `open_grave_2026-11-17T03:00:00.000Z_${newId()}`])(
    'rejects the cursor %s',
    async (cursor) => {
      const { error } = await call(`/api/v1/incidents?order=severity&cursor=${encodeURIComponent(cursor)}`);
      expect(error.issues[0].path).toBe('cursor');
    },
  );

  it('reads a page by an index, without sorting', async () => {
    const plan = await db.$transaction(async (tx) => {
      await tx.$executeRaw`set local enable_seqscan = off`;
      return tx.$queryRawUnsafe<Record<string, string>[]>(
        `explain select id from incidents where team_id = '${person.teamId}' and status = 'open' and severity = 'minor' ` +
          `and started_at <= now() and (started_at < now() or id < 'x') order by started_at desc, id desc limit 51`,
      );
    });
    const text = plan.map((row) => Object.values(row)[0]).join('\n');
    expect(text).toContain('incidents_team_id_status_severity_started_at_id_idx');
    expect(text).not.toContain('Sort');
  });
});

describe('filters of the list', () => {
  const every = ['new open', 'old open', 'acknowledged', 'resolved', 'second resolved'];
  it.each<[string, () => string, string[]]>([
    ['severity', () => 'severity=warning', ['new open']],
    ['type', () => 'type=downtime', ['old open']],
    ['assignee', () => `assigneeId=${colleague.userId}`, ['acknowledged']],
    ['nobody assigned', () => 'assigneeId=none', every.filter((name) => name !== 'acknowledged')],
    ['tag of any monitor', () => 'tag=prod', ['new open', 'old open']],
    ['monitor, also a further one', () => `monitorId=${shop}`, ['new open', 'old open']],
    ['title', () => 'q=OLD', ['old open']],
    ['cause', () => 'q=cable', ['resolved']],
    ['backslash as it is', () => `q=${encodeURIComponent('cable\\')}`, ['resolved']],
    [
      'name of a monitor, with wildcards as they are',
      () => `q=${encodeURIComponent('100%_n')}`,
      ['new open', 'old open'],
    ],
    ['an underscore, which is no wildcard', () => 'q=Nothing_', ['second resolved']],
    ['percent signs, which are no wildcards', () => `q=${encodeURIComponent('o%n')}`, []],
    ['two filters', () => `monitorId=${till}&status=resolved`, ['second resolved']],
    ['an empty search', () => 'q=', every],
  ])('matches %s, and the counts agree', async (_name, query, expected) => {
    const listed = await readAll(query(), 2);
    expect(listed.toSorted()).toEqual(expected.toSorted());
    if (query().includes('status=')) return;
    const counts = await call(`/api/v1/incident-counts?${query()}`);
    for (const status of ['open', 'acknowledged', 'resolved']) {
      expect(await readAll(`${query()}&status=${status}`, 50)).toHaveLength(counts[status]);
    }
  });

  it('find the incidents of a monitor that is a further one of hundreds', async () => {
    const other = await signUp();
    const { monitor } = (
      await rest('POST', '/api/v1/monitors', { token: other.token, body: httpMonitor({ name: 'Popular' }) })
    ).body;
    await db.$executeRaw`
      with made as (
        insert into incidents (id, team_id, type, status, severity, title, started_at, resolved_at)
        select '01M8CQG617NFGH4KHR' || lpad(i::text, 8, '0'), ${other.teamId}, 'manual', 'resolved', 'minor', 'One of many',
          now() - i * interval '1 minute', now() from generate_series(1, ${MANY}::int) i returning id
      ) insert into incident_monitors (incident_id, monitor_id) select id, ${monitor.id} from made`;
    const path = `monitorId=${monitor.id}&limit=2`;
    const { incidents, nextCursor } = await call(`/api/v1/incidents?${path}`, other.token);
    const next = await call(`/api/v1/incidents?${path}&cursor=${nextCursor}`, other.token);
    expect(new Set([...incidents, ...next.incidents].map(({ id }: { id: string }) => id)).size).toBe(4);
    expect(await call(`/api/v1/incident-counts?${path.split('&')[0]}`, other.token)).toMatchObject({ resolved: MANY });
  });

  it('look through a limited number of incidents for a page, and continue where it ended', async () => {
    const other = await signUp();
    await db.$executeRaw`
      insert into incidents (id, team_id, type, status, severity, title, started_at, resolved_at)
      select '01M8CQG617NFGH4KHS' || lpad(i::text, 8, '0'), ${other.teamId}, 'manual', 'resolved',
        case when i > ${MOST_EXAMINED}::int then 'minor' else 'critical' end::incident_severity,
        case when i > ${MOST_EXAMINED}::int then 'Rare' else 'Usual' end, now() - i * interval '1 minute', now()
      from generate_series(1, ${MOST_EXAMINED + 2}::int) i`;
    for (const query of [
      'q=rare',
      'severity=minor',
      'q=rare&order=status',
      'q=rare&order=severity',
      'severity=minor&status=resolved',
    ]) {
      const first = await call(`/api/v1/incidents?${query}`, other.token);
      expect(first.incidents, query).toEqual([]);
      const next = await call(`/api/v1/incidents?${query}&cursor=${first.nextCursor}`, other.token);
      expect(
        next.incidents.map(({ title }: { title: string }) => title),
        query,
      ).toEqual(['Rare', 'Rare']);
      expect(next.nextCursor, query).toBeNull();
    }
    expect(await call('/api/v1/incident-counts?severity=minor', other.token)).toMatchObject({ resolved: 0 });
    expect(await call('/api/v1/incident-counts', other.token)).toMatchObject({ resolved: MOST_EXAMINED });
  });

  it('contain nothing of other teams, also with the monitor of another team as a filter', async () => {
    expect((await call(`/api/v1/incidents?monitorId=${shop}`, outsider.token)).incidents).toEqual([]);
    expect(await call('/api/v1/incident-counts', outsider.token)).toEqual({ open: 0, acknowledged: 0, resolved: 0 });
  });

  it.each(['severity=grave', 'type=x', 'order=up', `q=${'x'.repeat(201)}`, 'assignee=me'])(
    'rejects %s',
    async (query) => {
      expect((await call(`/api/v1/incidents?${query}`)).error.code).toBe('VALIDATION_ERROR');
    },
  );

  it('shows who is assigned and the name of the first monitor', async () => {
    const { incident } = await call(`/api/v1/incidents/${ids.acknowledged}`);
    expect(incident).toMatchObject({ assigneeId: colleague.userId, monitorIds: [till] });
    const { assigneeName, monitors } = await call(`/api/v1/incidents/${ids.acknowledged}/detail`);
    expect([assigneeName, monitors]).toEqual(['member', [expect.objectContaining({ id: till, name: 'Till' })]]);
  });
});
