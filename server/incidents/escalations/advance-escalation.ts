import { z } from 'zod';
import { createDeliveriesTo } from '@/server/notifications/deliveries/create-deliveries';
import { channelDefinitionOf } from '@/server/notifications/schema';
import { accountMethodId, ensureAccountMethod } from '@/server/on-call/escalation/account-method';
import { advance, type Effect, type EscalationState, nextMoveAt } from '@/server/on-call/escalation/advance';
import { resolveReach } from '@/server/on-call/escalation/resolve-reach';
import { EscalationStep } from '@/server/on-call/schema';
import { databaseNow } from '@/server/platform/database-now';
import { db, type Tx } from '@/server/platform/db';
import type { Escalation } from '@/server/platform/generated/prisma/client';
import { newId } from '@/server/platform/ids';
import { defineJob, enqueue, enqueueMany } from '@/server/platform/jobs';
import { notify } from '@/server/platform/listen';
import { lockIncident, lockMonitorStateOfIncident } from '@/server/platform/locks';
import { periodAt } from '@/server/time/edges';
import { MINUTE_MS } from '@/server/time/schema';
import { describeAffected } from '../describe-affected';
import { type IncidentRow, incidentInclude } from '../to-incident';
import { linesOf } from './escalation-lines';

export const escalationKey = (incidentId: string) => `escalation:${incidentId}`;

const Pending = z.array(z.object({ channelId: z.string(), userId: z.string().nullable(), at: z.string() }));

type Send = Extract<Effect, { kind: 'send' }>;

/** After a window has ended, the checks say first whether the incident is over. */
export const AFTER_MAINTENANCE_MS = MINUTE_MS;

/** Until when an escalation is held: its monitor is in maintenance or paused. Null: it is not. */
async function heldUntil(tx: Tx, { monitorId, status }: IncidentRow, now: Date): Promise<Date | null> {
  // Ended without telling anybody yet, as by a pause that can be undone: the escalation ends when that is told.
  if (status !== 'open') return new Date(now.getTime() + MINUTE_MS);
  if (monitorId === null) return null;
  const state = await tx.monitorState.findFirst({
    where: { monitorId, region: '' },
    select: { status: true, maintenance: true },
  });
  if (!state) return null;
  if (state.status === 'paused') return new Date(now.getTime() + MINUTE_MS);
  const period = periodAt(state.maintenance, now);
  return period && new Date(period.endsAt.getTime() + AFTER_MAINTENANCE_MS);
}

/** The messages of a move, one for each channel and step. */
async function send(tx: Tx, incident: IncidentRow, row: Escalation, sends: Send[], names: ReadonlyMap<string, string>) {
  const { teamId } = incident;
  for (const userId of new Set(sends.flatMap((each) => each.userId ?? []))) {
    const id = accountMethodId(teamId, userId);
    if (sends.some(({ channelId }) => channelId === id)) await ensureAccountMethod(tx, teamId, userId);
  }
  const affected = (await describeAffected(tx, [incident]))(incident);
  const total = Array.isArray(row.steps) ? row.steps.length : 0;
  await createDeliveriesTo(
    tx,
    sends.map(({ round, step, channelId, userId }) => ({
      teamId,
      incidentId: incident.id,
      event: 'incident.escalated' as const,
      eventKey: `escalation:${incident.id}:${round}:${step}`,
      channelId,
      data: {
        ...affected,
        escalation: {
          policy: row.policyName,
          ...{ step: step + 1, steps: total, round: round - row.firstRound + 1 },
          person: userId === null ? null : (names.get(userId) ?? null),
        },
      },
    })),
  );
}

/** Adds what happened to the incident's story. */
async function note(
  tx: Tx,
  incident: IncidentRow,
  row: Escalation,
  effects: Effect[],
  { names, now }: { names: ReadonlyMap<string, string>; now: Date },
) {
  const ids = effects.flatMap((effect) => (effect.kind === 'send' ? effect.channelId : []));
  const channels = await tx.channel.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true, type: true },
  });
  const shown = new Map(channels.map(({ id, name, type }) => [id, { name, label: channelDefinitionOf(type).label }]));
  await tx.incidentUpdate.createMany({
    data: linesOf(effects, row.firstRound, names, shown).map((message) => {
      return { id: newId(), incidentId: incident.id, kind: 'note' as const, message, at: now };
    }),
  });
}

/**
 * Takes the steps that are due. The locks are those of the operations that end or hold an incident: a step is either taken before that or never. State,
 * messages, story and the next job are one transaction, so that a worker that dies takes a step whole or leaves it to the next.
 */
async function move(tx: Tx, incidentId: string): Promise<void> {
  const found = await tx.escalation.findUnique({ where: { incidentId }, select: { teamId: true } });
  if (!found) return;
  const { teamId } = found;
  await lockMonitorStateOfIncident(tx, teamId, incidentId);
  await lockIncident(tx, teamId, incidentId);
  const row = await tx.escalation.findUnique({ where: { incidentId } });
  const incident = await tx.incident.findUnique({ where: { id: incidentId }, include: incidentInclude });
  if (row?.status !== 'running' || !incident) return;
  const now = await databaseNow(tx);
  const until = await heldUntil(tx, incident, now);
  if (until) return save(tx, row, row, until);
  const steps = EscalationStep.array().parse(row.steps);
  const { reachOf, names } = await resolveReach(tx, teamId, steps, now);
  const before: EscalationState = { ...row, pending: Pending.parse(row.pending) };
  const { state, effects } = advance(before, { steps }, reachOf, now);
  const sends = effects.filter((effect) => effect.kind === 'send');
  if (sends.length > 0) await send(tx, incident, row, sends, names);
  if (effects.length > 0) await note(tx, incident, row, effects, { names, now });
  await save(tx, row, state, nextMoveAt(state));
}

type Saved = Pick<Escalation, 'status' | 'round' | 'step' | 'nextStepAt'> & { pending: unknown };

async function save(tx: Tx, { incidentId, teamId }: Escalation, state: Saved, nextAt: Date | null): Promise<void> {
  const { status, round, step, nextStepAt, pending } = state;
  const data = { status, round, step, nextStepAt, pending: pending as object[], nextAt };
  await tx.escalation.update({ where: { incidentId }, data });
  await notify(tx, { team: teamId, kind: 'incident', ids: [incidentId] });
  const options = { runAt: nextAt ?? new Date(), jobKey: escalationKey(incidentId) };
  if (nextAt) await enqueue(tx, advanceEscalation, { incidentId }, options);
}

/** Takes the steps of an escalation that are due, and queues itself for the next. */
export const advanceEscalation = defineJob({
  name: 'advance-escalation',
  schema: z.object({ incidentId: z.string() }),
  run: ({ incidentId }) => db.$transaction((tx) => move(tx, incidentId)),
});

/** A job that is this late was lost, or is being retried. */
const LATE_MS = 30_000;

/** Queues the moves of escalations that are late: their job was lost, or failed too often. */
export const sweepEscalations = defineJob({
  name: 'sweep-escalations',
  schema: z.object({}),
  maxAttempts: 3,
  async run() {
    const now = await databaseNow();
    const late = await db.escalation.findMany({
      where: { nextAt: { lt: new Date(now.getTime() - LATE_MS) } },
      select: { incidentId: true },
      orderBy: { nextAt: 'asc' },
      take: 1_000,
    });
    await enqueueMany(
      db,
      advanceEscalation,
      late.map(({ incidentId }) => ({ payload: { incidentId }, jobKey: escalationKey(incidentId), runAt: now })),
    );
  },
});
