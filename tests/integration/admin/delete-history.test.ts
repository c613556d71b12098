import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteTeams } from '@/server/admin/delete-rows';
import { createIncident } from '@/server/incidents/create-incident';
import { advanceEscalation, sweepEscalations } from '@/server/incidents/escalations/advance-escalation';
import { evidenceKey } from '@/server/incidents/evidence/evidence-key';
import { deleteUnusedEvidence, storeEvidence } from '@/server/incidents/evidence/store-evidence';
import { sha256 } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { storage } from '@/server/platform/storage';
import { removeDeleted } from '@/server/worker/remove-deleted';
import { type Person, rest, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';
import { newTeam } from '../notifications/support';
import { abortedAt, addHistory, countLeft, countTouched } from './history';
import { forceDelete, join, personWithEverything, tablesWith } from './support';

const ROWS = 1_200;
const SLICE = 500;

let admin: Person;
beforeAll(async () => {
  admin = await signUp('Ada');
});
afterAll(() => db.team.deleteMany());

async function removeTeam({ token, teamId }: Person) {
  const { name } = await db.team.findUniqueOrThrow({ where: { id: teamId } });
  return rest('POST', '/dashboard/team/delete', { token, body: { teamId, name } });
}

describe('deleting a team', () => {
  it('touches as many rows with a long history as with a short one', { timeout: 60_000 }, async () => {
    const touched: number[] = [];
    for (const rows of [2, ROWS]) {
      const { teamId } = await personWithEverything();
      await addHistory(teamId, rows);
      await db.$transaction(async (tx) => {
        const before = await countTouched(tx);
        await deleteTeams(tx, [teamId]);
        touched.push((await countTouched(tx)) - before);
      });
    }
    expect(touched[0]).toBeGreaterThan(5);
    expect(touched[1]).toBe(touched[0]);
  });

  it('lets nobody read anything before the job has removed the history', { timeout: 60_000 }, async () => {
    await runJob(removeDeleted, {});
    const person = await personWithEverything();
    const { teamId, key, token } = person;
    const history = await addHistory(teamId, ROWS);
    const [incidentId = ''] = history.incidentIds;
    const secret = newId();
    await db.incident.update({ where: { id: incidentId }, data: { shareHash: sha256(secret) } });
    const requests: [string, string][] = [
      [`/api/v1/incidents/${incidentId}`, key],
      [`/api/v1/monitors/${history.monitorId}/checks`, key],
      [`/api/v1/channels/${history.channelId}/deliveries`, key],
      ['/dashboard/audit-log', token],
    ];
    const shared = () => rest('GET', `/auth/shared-incident/${secret}`);
    const before = await Promise.all(requests.map(([path, bearer]) => rest('GET', path, { token: bearer })));
    expect(before.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await shared()).status).toBe(200);

    expect((await removeTeam(person)).status).toBe(200);
    const rows = await countLeft(teamId, history);
    expect(rows).toMatchObject({ checks: ROWS + 1, periods: ROWS, incidents: ROWS + 1, deliveries: ROWS + 1 });
    const after = await Promise.all(requests.map(([path, bearer]) => rest('GET', path, { token: bearer })));
    for (const { status } of after) expect([401, 403]).toContain(status);
    expect((await shared()).status).toBe(404);
    expect(await db.channel.findUnique({ where: { id: history.channelId } })).toMatchObject({
      ...{ teamId: null, ownerId: null, name: '', config: {}, previousSecret: null, lastMessage: null },
    });
    for (const table of ['teams', 'memberships', 'api_keys', 'monitors', 'status_pages', 'invitations', 'kept_mail']) {
      expect((await tablesWith(teamId))[table], table).toBeUndefined();
    }

    // Every question to the signal is a slice.
    await runJob(removeDeleted, {}, { signal: abortedAt(2) });
    expect(await countLeft(teamId, history)).toEqual({ ...rows, deliveries: ROWS + 1 - SLICE });
    await Promise.all([runJob(removeDeleted, {}), runJob(removeDeleted, {})]);
    expect(new Set(Object.values(await countLeft(teamId, history)))).toEqual(new Set([0]));
    expect(await tablesWith(teamId)).toEqual({ audit_entries: 1 });
    expect(await tablesWith(history.monitorId)).toEqual({});
  });

  it('is continued by the next run wherever one was cut off', { timeout: 120_000 }, async () => {
    const person = await personWithEverything();
    const { teamId } = person;
    const history = await addHistory(teamId, 60);
    expect((await removeTeam(person)).status).toBe(200);
    for (let nth = 1; (await tablesWith(teamId)).deleted_teams !== undefined; nth += 1) {
      expect(nth).toBeLessThan(50);
      await runJob(removeDeleted, {}, { signal: abortedAt(nth) });
    }
    await runJob(removeDeleted, {});
    expect(new Set(Object.values(await countLeft(teamId, history)))).toEqual(new Set([0]));
    expect(await tablesWith(teamId)).toEqual({ audit_entries: 1 });
  });

  it('leaves no incident of a request that began before', async () => {
    const ctx = await newTeam();
    const input = { title: 'Late', type: 'manual' as const, severity: 'minor' as const };
    await db.$transaction((tx) => deleteTeams(tx, [ctx.team.id]));
    await expect(createIncident({ ctx, input })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await db.incident.count({ where: { teamId: ctx.team.id } })).toBe(0);
  });

  it('stores no evidence of its incidents afterwards', async () => {
    const { teamId } = await teamWithEvidence();
    const { id, incidentId } = await db.incidentEvidence.findFirstOrThrow({ where: { incident: { teamId } } });
    const key = evidenceKey(teamId, { id, incidentId });
    await db.$transaction((tx) => deleteTeams(tx, [teamId]));
    await runJob(storeEvidence, {});
    expect(await storage.get(key)).toBeNull();
    // As by an upload that ended after the deletion.
    await storage.put(key, Buffer.from('{}'), { contentType: 'application/json' });
    await runJob(deleteUnusedEvidence, { id, key });
    expect(await storage.get(key)).toBeNull();
  });

  it('ends the escalations of its open incidents', async () => {
    const { teamId } = await teamWithEvidence();
    const { id: incidentId } = await db.incident.findFirstOrThrow({ where: { teamId } });
    const past = new Date(Date.now() - 60_000);
    const policy = { policyId: newId(), policyName: 'Night', steps: [], status: 'running' as const, lastRound: 0 };
    await db.escalation.create({ data: { incidentId, teamId, ...policy, nextStepAt: past, nextAt: past } });
    await db.$transaction((tx) => deleteTeams(tx, [teamId]));
    const before = await db.escalation.findUnique({ where: { incidentId } });
    await runJob(advanceEscalation, { incidentId });
    await runJob(sweepEscalations, {});
    expect(await db.escalation.findUnique({ where: { incidentId } })).toEqual(before);
    const jobs = await db.$queryRaw<
      unknown[]
    >`select 1 from graphile_worker.jobs where key = ${`escalation:${incidentId}`}`;
    expect(jobs).toEqual([]);
  });
});

/** A team with an open incident whose evidence is not uploaded yet. */
async function teamWithEvidence() {
  const { teamId } = await personWithEverything();
  const { id: monitorId } = await db.monitor.findFirstOrThrow({ where: { teamId } });
  const incident = { id: newId(), teamId, monitorId, type: 'downtime' as const, status: 'open' as const };
  await db.incident.deleteMany({ where: { teamId } });
  await db.incident.create({ data: { ...incident, startedAt: new Date() } });
  await db.incidentEvidence.create({
    data: { id: newId(), incidentId: incident.id, kind: 'opened', at: new Date() },
  });
  return { teamId };
}

describe('force delete', () => {
  it('has removed the history when it answers', { timeout: 60_000 }, async () => {
    const person = await personWithEverything();
    const other = await signUp();
    await join(person, other, 'member');
    const method = { type: 'webhook' as const, name: 'Phone', config: {}, ownerId: person.userId };
    const { id: channelId } = await db.channel.create({ data: { id: newId(), teamId: other.teamId, ...method } });
    await db.delivery.createMany({
      data: Array.from({ length: ROWS }, () => ({
        ...{
          id: newId(),
          teamId: other.teamId,
          channelId,
          event: 'incident.escalated',
          eventKey: newId(),
          payload: {},
        },
      })),
    });
    const history = await addHistory(person.teamId, ROWS);
    const { status, body } = await forceDelete(admin, person.userId);
    expect([status, body.message]).toEqual([200, `${person.email} and one team deleted.`]);
    expect(new Set(Object.values(await countLeft(person.teamId, history)))).toEqual(new Set([0]));
    expect(await db.channel.count({ where: { id: channelId } })).toBe(0);
    expect(await tablesWith(person.teamId)).toEqual({ audit_entries: 1 });
    expect(await db.deletedMonitor.count({ where: { num: history.num } })).toBe(0);
  });
});

describe('deleting a monitor', () => {
  it('leaves its spans, periods and older incidents to the job', { timeout: 60_000 }, async () => {
    const person = await personWithEverything();
    const { teamId, key } = person;
    const history = await addHistory(teamId, ROWS);
    const { monitorId } = history;
    const before = await countLeft(teamId, history);
    expect((await rest('DELETE', `/api/v1/monitors/${monitorId}`, { token: key })).status).toBe(200);
    const left = await countLeft(teamId, history);
    expect(left).toMatchObject({ spans: before.spans, periods: before.periods, monitorsOfIncidents: ROWS });
    expect(await db.incident.count({ where: { monitorId } })).toBe(before.incidents - SLICE);
    const { body } = await rest('GET', '/api/v1/incidents?limit=100', { token: key });
    expect(new Set(body.incidents.map((each: { monitorId: string | null }) => each.monitorId))).toEqual(
      new Set([null]),
    );
    const oldest = await rest('GET', `/api/v1/incidents/${history.incidentIds.at(-1)}/detail`, { token: key });
    expect([oldest.status, oldest.body.monitors]).toEqual([200, []]);

    await runJob(removeDeleted, {});
    expect(await countLeft(teamId, history)).toMatchObject({
      checks: 0,
      spans: 0,
      periods: 0,
      incidents: before.incidents,
      monitorsOfIncidents: 0,
    });
    expect(await db.incident.count({ where: { monitorId } })).toBe(0);
    expect(await db.deletedMonitor.count({ where: { num: history.num } })).toBe(0);
  });
});
