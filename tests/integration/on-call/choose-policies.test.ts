import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startEscalations } from '@/server/incidents/escalations/start-escalations';
import { incidentInclude } from '@/server/incidents/to-incident';
import type { IncidentSeverity } from '@/server/monitor-types/schema';
import { choosePolicies } from '@/server/on-call/escalation/choose-policies';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { rest, signUp } from '@/tests/support/rest';
import { makeMonitors, makeTeam } from '../checks/monitors';

interface Policy {
  id: string;
  allMonitors: boolean;
  tags: string[];
  monitorIds: string[];
  minSeverity: IncidentSeverity;
}

let teamId: string;
beforeEach(async () => {
  teamId = await makeTeam();
});
afterEach(() => db.team.deleteMany());

async function makePolicies(policies: Policy[]): Promise<void> {
  await db.escalationPolicy.createMany({
    data: policies.map(({ monitorIds: _ids, ...policy }) => ({ ...policy, teamId, name: policy.id, steps: [] })),
  });
  await db.escalationPolicyMonitor.createMany({
    data: policies.flatMap(({ id: policyId, monitorIds }) => monitorIds.map((monitorId) => ({ policyId, monitorId }))),
  });
}

async function makeTagged(tags: string[][]): Promise<{ id: string; tags: string[] }[]> {
  const rows = await makeMonitors(
    teamId,
    tags.map((_, index) => ({ url: `http://127.0.0.1:9/${index}` })),
  );
  for (const [index, each] of tags.entries()) {
    await db.monitor.update({ where: { id: rows[index]?.id ?? '' }, data: { tags: each } });
  }
  return rows.map(({ id }, index) => ({ id, tags: tags[index] ?? [] }));
}

async function choose(incidents: { severity: IncidentSeverity; monitorIds: string[] }[]): Promise<(string | null)[]> {
  const asked = incidents.map((incident) => ({ ...incident, id: newId(), teamId }));
  const chosen = await db.$transaction((tx) => choosePolicies(tx, asked));
  return asked.map(({ id }) => chosen.get(id)?.id ?? null);
}

const policy = (id: string, changes: Partial<Policy> = {}): Policy => ({
  id,
  allMonitors: false,
  tags: [],
  monitorIds: [],
  minSeverity: 'minor' as const,
  ...changes,
});

describe('choosePolicies', () => {
  it.each<[string, (shop: string) => Policy[], IncidentSeverity, string | null]>([
    [
      'one that names the monitor',
      (shop) => [
        policy('a', { allMonitors: true }),
        policy('b', { tags: ['eu'] }),
        policy('named', { monitorIds: [shop] }),
      ],
      'critical',
      'named',
    ],
    [
      'one by tag before one for all',
      () => [policy('a', { allMonitors: true }), policy('tag', { tags: ['eu'] })],
      'critical',
      'tag',
    ],
    ['one for all', () => [policy('a', { tags: ['us'] }), policy('all', { allMonitors: true })], 'critical', 'all'],
    [
      'the strictest severity of equals',
      () => [policy('a', { tags: ['eu'] }), policy('strict', { tags: ['payments'], minSeverity: 'critical' })],
      'critical',
      'strict',
    ],
    ['the oldest of equals', () => [policy('b', { tags: ['eu'] }), policy('a', { tags: ['eu'] })], 'critical', 'a'],
    [
      'none for more severe incidents only',
      (shop) => [policy('a', { monitorIds: [shop], minSeverity: 'critical' }), policy('all', { allMonitors: true })],
      'warning',
      'all',
    ],
    [
      'none if no severity fits',
      (shop) => [policy('a', { monitorIds: [shop], minSeverity: 'critical' })],
      'warning',
      null,
    ],
  ])('chooses %s', async (_name, policies, severity, expected) => {
    const [shop] = await makeTagged([['payments', 'eu']]);
    if (!shop) throw new Error('There is no monitor.');
    await makePolicies(policies(shop.id));
    expect(await choose([{ severity, monitorIds: [shop.id] }])).toEqual([expected]);
  });

  it('chooses only one for all for an incident without a monitor', async () => {
    const [shop] = await makeTagged([['eu']]);
    await makePolicies([policy('named', { monitorIds: [shop?.id ?? ''] }), policy('tag', { tags: ['eu'] })]);
    expect(await choose([{ severity: 'critical', monitorIds: [] }])).toEqual([null]);
    await makePolicies([policy('all', { allMonitors: true })]);
    expect(await choose([{ severity: 'critical', monitorIds: [] }])).toEqual(['all']);
  });

  it('chooses by the same rule for 300 random incidents, and no policy of another team', async () => {
    const severities = ['critical', 'warning', 'minor'] as const;
    const below = (count: number) => Math.floor(Math.random() * count);
    const some = <T>(items: readonly T[], share: number) => items.filter(() => Math.random() < share);
    const monitors = await makeTagged(Array.from({ length: 12 }, () => some(['eu', 'us', 'shop', 'api'], 0.2)));
    const policies = Array.from({ length: 30 }, () =>
      policy(newId(), {
        allMonitors: Math.random() < 0.1,
        tags: some(['eu', 'us', 'shop', 'api'], 0.1),
        monitorIds: some(monitors, 0.05).map(({ id }) => id),
        minSeverity: severities[below(3)] ?? 'minor',
      }),
    );
    await makePolicies(policies);
    const mine = teamId;
    teamId = await makeTeam();
    await makePolicies([policy('other', { allMonitors: true })]);
    teamId = mine;
    const incidents = Array.from({ length: 300 }, () => ({
      severity: severities[below(3)] ?? ('minor' as const),
      monitorIds: some(monitors, 0.15).map(({ id }) => id),
    }));
    const rankOf = (severity: IncidentSeverity) => severities.indexOf(severity);
    const expected = incidents.map(({ severity, monitorIds }) => {
      const tags = monitors.flatMap((monitor) => (monitorIds.includes(monitor.id) ? monitor.tags : []));
      const fitting = policies.flatMap((each) => {
        const isNamed = each.monitorIds.some((id) => monitorIds.includes(id));
        const isTagged = each.tags.some((tag) => tags.includes(tag));
        if (rankOf(severity) > rankOf(each.minSeverity) || !(isNamed || isTagged || each.allMonitors)) return [];
        return { ...each, order: [isNamed ? 0 : isTagged ? 1 : 2, rankOf(each.minSeverity), each.id].join(' ') };
      });
      return fitting.sort((a, b) => (a.order < b.order ? -1 : 1))[0]?.id ?? null;
    });
    expect(await choose(incidents)).toEqual(expected);
  });
});

/** The number of rows that this process reads from the database during `work`. */
async function countRows(work: () => Promise<unknown>): Promise<number> {
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    const answers = await Promise.all(sent.mock.results.map(({ value }) => value as Promise<pg.QueryResult>));
    return answers.reduce((sum, answer) => sum + (answer?.rows?.length ?? 0), 0);
  } finally {
    sent.mockRestore();
  }
}

it('starts escalations without reading the monitors that 40 policies name', async () => {
  const monitors = await makeTagged(Array.from({ length: 50 }, () => []));
  const monitorIds = monitors.map(({ id }) => id);
  await makePolicies(Array.from({ length: 40 }, (_, index) => policy(`p${index + 10}`, { monitorIds })));
  const [monitorId = null] = monitorIds;
  const incident = await db.incident.create({
    data: {
      id: newId(),
      teamId,
      monitorId,
      type: 'downtime',
      severity: 'critical',
      status: 'open',
      openKey: 'status',
      title: 'Down',
      startedAt: new Date(),
    },
    include: incidentInclude,
  });
  const rows = await countRows(() => db.$transaction((tx) => startEscalations(tx, [incident])));
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThan(20);
  const escalation = await db.escalation.findUniqueOrThrow({ where: { incidentId: incident.id } });
  expect(escalation.policyId).toBe('p10');
});

it('limits a team to 200 escalation policies on every plan', async () => {
  const owner = await signUp('Ada');
  const { teamId: id } = await db.membership.findFirstOrThrow({ where: { userId: owner.userId } });
  await db.team.update({ where: { id }, data: { plan: 'self_hosted' } });
  teamId = id;
  await makePolicies(Array.from({ length: 200 }, () => policy(newId())));
  const steps = [{ targets: [{ type: 'user', id: owner.userId }], waitMinutes: 5 }];
  const body = { name: 'One more', steps };
  const { status, body: answer } = await rest('POST', '/api/v1/escalation-policies', { token: owner.token, body });
  expect([status, answer.error.code, answer.error.message]).toEqual([
    402,
    'PLAN_LIMIT_REACHED',
    'A team can have at most 200 escalation policies.',
  ]);
});
