import { beforeEach, describe, expect, it } from 'vitest';
import { sendReminders } from '@/server/notifications/deliveries/send-reminders';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { runJob } from '@/tests/support/run-job';

beforeEach(() => db.team.deleteMany());

/** A team whose channels were notified of open incidents an hour ago, so that reminders are due. */
async function makeTeam(incidents: number, channels: number): Promise<string> {
  const teamId = newId();
  await db.team.create({ data: { id: teamId, name: 'Team', plan: 'self_hosted' } });
  const range = (length: number) => Array.from({ length }, newId);
  await db.channel.createMany({
    data: range(channels).map((id) => ({ id, teamId, type: 'discord', name: 'C', config: {}, reminderMinutes: 5 })),
  });
  const startedAt = new Date();
  await db.incident.createMany({
    data: range(incidents).map((id) => ({ id, teamId, type: 'downtime', status: 'open', openKey: id, startedAt })),
  });
  // Raw: one row for each incident and channel.
  await db.$executeRaw`
    insert into deliveries (id, team_id, channel_id, incident_id, event, event_key, payload, status, created_at)
    select incident.id || channel.id, ${teamId}, channel.id, incident.id, 'incident.opened', 'incident.opened:' || incident.id,
      '{"type": "incident.opened", "timestamp": "2026-01-01T00:00:00.000Z", "data": {"incident": null, "monitor": null}}',
      'delivered', now() - interval '1 hour'
    from incidents incident join channels channel on channel.team_id = incident.team_id
    where incident.team_id = ${teamId}`;
  await db.$executeRaw`
    insert into delivery_attempts (id, delivery_id, at, duration_ms)
    select id, id, created_at, 5 from deliveries where team_id = ${teamId}`;
  await db.$executeRaw`analyze deliveries`;
  return teamId;
}

const remindersOf = (teamId: string) =>
  db.delivery.findMany({ where: { teamId, event: 'incident.reminder' }, orderBy: { createdAt: 'asc' } });

describe('send-reminders with a team that has many reminders due', () => {
  it('writes at most 500 of a team per run, and those of a team with few incidents first', {
    timeout: 120_000,
  }, async () => {
    const noisy = await makeTeam(20, 100);
    const quiet = await makeTeam(1, 1);
    await runJob(sendReminders, {});
    const [first] = await remindersOf(quiet);
    const many = await remindersOf(noisy);
    expect(many).toHaveLength(500);
    expect(first?.createdAt.getTime()).toBeLessThanOrEqual(many[0]?.createdAt.getTime() ?? 0);
    for (let runs = 0; runs < 4; runs += 1) await runJob(sendReminders, {});
    const all = await remindersOf(noisy);
    expect(new Set(all.map(({ incidentId, channelId }) => `${incidentId} ${channelId}`)).size).toBe(2000);
    expect(all).toHaveLength(2000);
    expect(await remindersOf(quiet)).toHaveLength(1);
  });

  it('reminds other teams while the incidents of one are locked, or its messages cannot be read', async () => {
    const held = await makeTeam(1, 1);
    const broken = await makeTeam(1, 1);
    const other = await makeTeam(2, 1);
    await db.delivery.updateMany({ where: { teamId: broken }, data: { payload: {} } });
    await db.$transaction(async (tx) => {
      await tx.$queryRaw`select 1 from incidents where team_id = ${held} for update`;
      await runJob(sendReminders, {});
    });
    expect(await remindersOf(other)).toHaveLength(2);
    expect(await remindersOf(held)).toHaveLength(0);
    await runJob(sendReminders, {});
    expect(await remindersOf(held)).toHaveLength(1);
  });
});
