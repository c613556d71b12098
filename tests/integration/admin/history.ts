import { db, type Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { addChecks } from '@/tests/support/checks';

/** The number of rows of each kind that a team of `personWithEverything` leaves. */
export async function addHistory(teamId: string, rows: number) {
  const { id: monitorId, num } = await db.monitor.findFirstOrThrow({ where: { teamId } });
  const { id: channelId } = await db.channel.findFirstOrThrow({ where: { teamId } });
  const moments = Array.from({ length: rows }, (_, index) => new Date(Date.now() - (index + 1) * 60_000));
  await addChecks(moments.map((at) => ({ monitorNum: num, at, region: 'x', status: 'up' as const })));
  const spans = moments.map((startedAt) => ({ monitorNum: num, startedAt, status: 'up' as const }));
  await db.statusSpan.createMany({ data: spans, skipDuplicates: true });
  await db.maintenancePeriod.createMany({
    data: moments.map((startsAt) => ({
      ...{ monitorNum: num, windowId: 'past', startsAt, endsAt: startsAt, checks: 'continue' as const },
    })),
  });
  const incidents = moments.map((startedAt) => ({ id: newId(), startedAt }));
  await db.incident.createMany({
    data: incidents.map((each) => ({
      ...each,
      teamId,
      monitorId,
      type: 'downtime' as const,
      status: 'resolved' as const,
    })),
  });
  await db.incidentUpdate.createMany({
    data: incidents.map(({ id, startedAt: at }) => ({
      ...{ id: newId(), incidentId: id, kind: 'note' as const, message: 'Restarted.', at },
    })),
  });
  await db.incidentMonitor.createMany({ data: incidents.map(({ id }) => ({ incidentId: id, monitorId })) });
  await db.delivery.createMany({
    data: incidents.map(({ id: incidentId }) => ({
      ...{ id: newId(), teamId, channelId, incidentId, event: 'incident.opened', eventKey: newId(), payload: {} },
    })),
  });
  await db.auditEntry.createMany({
    data: moments.map((at) => ({
      ...{ id: newId(), at, teamId, actorKind: 'system' as const, action: 'monitor.update', targetType: 'monitor' },
    })),
  });
  return { monitorId, num, channelId, incidentIds: incidents.map(({ id }) => id) };
}

export type History = Awaited<ReturnType<typeof addHistory>>;

export async function countLeft(teamId: string, { num, channelId, monitorId }: History) {
  const byNum = { where: { monitorNum: num } };
  return {
    checks: await db.check.count(byNum),
    spans: await db.statusSpan.count(byNum),
    periods: await db.maintenancePeriod.count(byNum),
    incidents: await db.incident.count({ where: { teamId } }),
    updates: await db.incidentUpdate.count({ where: { incident: { teamId } } }),
    monitorsOfIncidents: await db.incidentMonitor.count({ where: { monitorId } }),
    deliveries: await db.delivery.count({ where: { channelId } }),
    audit: await db.auditEntry.count({ where: { teamId } }),
  };
}

/** The rows that a transaction has deleted and changed so far. */
export async function countTouched(tx: Tx): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    select sum(n_tup_del + n_tup_upd)::int as count from pg_stat_xact_user_tables where schemaname = 'public'`;
  return row?.count ?? 0;
}

/** A signal that is aborted when it is asked for the nth time, as by a worker that is stopped or dies. */
export function abortedAt(nth: number): AbortSignal {
  let asked = 0;
  return {
    get aborted() {
      return ++asked >= nth;
    },
  } as AbortSignal;
}
