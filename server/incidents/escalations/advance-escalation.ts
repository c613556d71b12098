import { z } from 'zod';
import { createDeliveriesTo } from '@/server/notifications/deliveries/create-deliveries';
import { settleJob } from '@/server/notifications/deliveries/settle-job';
import { accountMethodId, ensureAccountMethod } from '@/server/on-call/escalation/account-method';
import { advance, type Effect, type EscalationState, nextMoveAt } from '@/server/on-call/escalation/advance';
import { resolveReach } from '@/server/on-call/escalation/resolve-reach';
import { settle } from '@/server/on-call/escalation/settle';
import { EscalationStep } from '@/server/on-call/schema';
import { databaseNow } from '@/server/platform/database-now';
import { db, type Tx } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import type { Escalation } from '@/server/platform/generated/prisma/client';
import { newId } from '@/server/platform/ids';
import { defineJob, enqueue, enqueueMany } from '@/server/platform/jobs';
import { notify } from '@/server/platform/listen';
import { lockIncident, lockMonitorStateOfIncident } from '@/server/platform/locks';
import { periodAt } from '@/server/time/edges';
import { MINUTE_MS } from '@/server/time/schema';
import { describeAffected } from '../describe-affected';
import { insertUpdates, ofExistingTeam } from '../queries';
import { type IncidentRow, incidentInclude } from '../to-incident';
import { type CallLine, callLines, moveLines } from './escalation-lines';
import { queueUnreachedMail } from './mail-unreached';
import { escalationPriorities, priorityAfter } from './priority';
import { readCalls } from './read-calls';
import { parseStepKey, stepKey, type TakenStep } from './step-key';

export const escalationKey = (incidentId: string) => `escalation:${incidentId}`;

const Pending = z.array(z.object({ channelId: z.string(), userId: z.string().nullable(), at: z.string() }));

type Send = Extract<Effect, { kind: 'send' }>;

/** The time after a maintenance window in which checks may still show that the incident is over, before an escalation continues. */
export const AFTER_MAINTENANCE_MS = MINUTE_MS;

/**
 * Returns until when an escalation is held; null if it is not. It is held while its monitor is in maintenance or paused, while maintenance is not
 * planned, and if its incident is not open.
 */
async function heldUntil(tx: Tx, { monitorId, status }: IncidentRow, now: Date): Promise<Date | null> {
  // The incident was resolved without notifications so far, for example by a pause that can be undone. Sending them ends the escalation.
  if (status !== 'open') return new Date(now.getTime() + MINUTE_MS);
  if (monitorId === null) return null;
  const state = await tx.monitorState.findFirst({
    where: { monitorId, region: '' },
    select: { status: true, maintenance: true, plannedUntil: true },
  });
  if (!state) return null;
  const isUnknown = state.plannedUntil !== null && state.plannedUntil <= now;
  if (state.status === 'paused' || isUnknown) return new Date(now.getTime() + MINUTE_MS);
  const period = periodAt(state.maintenance, now);
  return period && new Date(period.endsAt.getTime() + AFTER_MAINTENANCE_MS);
}

/** Creates the deliveries of due steps, one per channel and step. Before, updates the account email of contact methods that are used. */
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
      eventKey: stepKey(incident.id, { round, step }),
      channelId,
      data: {
        ...affected,
        escalation: {
          policy: row.policyName,
          step: step + 1,
          steps: total,
          round: round - row.firstRound + 1,
          person: userId === null ? null : (names.get(userId) ?? null),
        },
      },
    })),
  );
}

/** Adds lines to the timeline, and adds or updates the line of each person per step (`calls`). The caller has locked the incident. */
async function note(tx: Tx, incidentId: string, lines: string[], calls: CallLine[], now: Date): Promise<void> {
  const line = { incidentId, kind: 'note' as const };
  for (const { key, message, at } of calls) {
    await tx.incidentUpdate.upsert({
      where: { incidentId_dedupeKey: { incidentId, dedupeKey: key } },
      create: { ...line, id: newId(), dedupeKey: key, message, at },
      update: { message },
    });
  }
  await insertUpdates(
    tx,
    lines.map((message) => ({ ...line, message, at: now })),
  );
}

/**
 * Returns whether the escalation has notified nobody: no message since its start was accepted, and the first round is over. Its last step is over once
 * all messages have failed permanently.
 */
async function isUnreached(
  tx: Tx,
  row: Escalation,
  { status, round, step, pending }: EscalationState,
): Promise<boolean> {
  const isLast = Array.isArray(row.steps) && step + 1 >= row.steps.length;
  if (status !== 'finished' && round === row.firstRound) {
    if (!isLast || pending.length > 0) return false;
    const calls = await readCalls(tx, row.incidentId, { round, step });
    if (!calls.every(({ hasFailed }) => hasFailed)) return false;
  }
  const accepted = await tx.delivery.findFirst({
    where: {
      incidentId: row.incidentId,
      event: 'incident.escalated',
      status: 'delivered',
      createdAt: { gte: row.startedAt },
    },
    select: { id: true },
  });
  return accepted === null;
}

/** After a longer wait for locks, the targets are read again, because they may have changed meanwhile; but not for ever. */
const PATIENCE_MS = 2_000;
const MOST_READS = 3;

/**
 * Records the outcomes of a step's messages in the timeline, and runs the steps that are due. Reads whom the steps may reach before the transaction,
 * because that takes turns with other teams, for which a transaction must not wait with its locks.
 * @param settled the step whose outcomes are recorded; the current step by default
 */
async function move(incidentId: string, settled?: TakenStep, reads = 1): Promise<void> {
  // Those of a deleted team end without another step.
  const found = await db.escalation.findUnique({
    where: { incidentId, incident: ofExistingTeam },
    select: { teamId: true, steps: true, startedAt: true },
  });
  if (!found) return;
  const { teamId, startedAt } = found;
  const steps = EscalationStep.array().parse(found.steps);
  const readAt = performance.now();
  const known = { teamId, startedAt, steps, ...(await resolveReach(db, teamId, steps, await databaseNow())) };
  const isFresh = () => reads >= MOST_READS || performance.now() - readAt <= PATIENCE_MS;
  const isKnown = await db.$transaction((tx) => moveKnown(tx, incidentId, { ...known, isFresh }, settled));
  if (!isKnown) await move(incidentId, settled, reads + 1);
}

type KnownEscalation = Pick<Escalation, 'teamId' | 'startedAt'> &
  Awaited<ReturnType<typeof resolveReach>> & { steps: EscalationStep[]; isFresh: () => boolean };

/**
 * Runs the due steps of an escalation whose targets are known. Who is on call is determined once it has its locks, because the person may change while
 * it waits for them. Takes the same locks as the operations that resolve or hold an incident, so that a step
 * runs either completely before them or not at all. State, messages, timeline and the next job are written in one transaction, so that a worker that
 * dies leaves no half step. Returns false, and changes nothing, if another escalation has replaced the known one, or if it waited long for its locks.
 */
async function moveKnown(
  tx: Tx,
  incidentId: string,
  { teamId, startedAt, steps, reachOf, names, isFresh }: KnownEscalation,
  settled: TakenStep | undefined,
): Promise<boolean> {
  await lockMonitorStateOfIncident(tx, teamId, incidentId);
  await lockIncident(tx, teamId, incidentId);
  const row = await tx.escalation.findUnique({ where: { incidentId } });
  const incident = await tx.incident.findUnique({ where: { id: incidentId }, include: incidentInclude });
  if (!row || !incident) return true;
  if (row.startedAt.getTime() !== startedAt.getTime()) return false;
  if (!isFresh()) return false;
  const now = await databaseNow(tx);
  const before: EscalationState = { ...row, pending: Pending.parse(row.pending) };
  const until = row.status === 'running' ? await heldUntil(tx, incident, now) : null;
  const calls = await readCalls(tx, incidentId, row);
  const accountOf = (userId: string) => (env.smtpUrl && names.has(userId) ? accountMethodId(teamId, userId) : null);
  const settledState = settle(before, { steps }, calls, accountOf, now);
  const { state, effects } = until
    ? { state: before, effects: [] }
    : advance(settledState, { steps }, (step) => reachOf(step, now), now);
  const sends = effects.filter((effect) => effect.kind === 'send');
  if (sends.length > 0) await send(tx, incident, row, sends, names);
  const shown = settled ?? row;
  const isPresent = shown.round === row.round && shown.step === row.step;
  const further = isPresent ? [...settledState.pending, ...sends.filter(({ step }) => step === row.step)] : [];
  const lines = callLines(isPresent ? calls : await readCalls(tx, incidentId, shown), shown, {
    firstRound: row.firstRound,
    names,
    hasMoreWays: (userId) => further.some((way) => way.userId === userId),
  });
  await note(tx, incidentId, moveLines(effects), lines, now);
  if (row.status !== 'running') {
    await notify(tx, { team: teamId, kind: 'incident', ids: [incidentId] });
    return true;
  }
  const isNews = !until && row.ownersNotifiedAt === null && (await isUnreached(tx, row, state));
  if (isNews) await queueUnreachedMail(tx, teamId, incidentId);
  await save(tx, row, { ...state, ownersNotifiedAt: isNews ? now : row.ownersNotifiedAt }, until ?? nextMoveAt(state));
  return true;
}

type Saved = Pick<Escalation, 'status' | 'round' | 'step' | 'nextStepAt' | 'ownersNotifiedAt'> & { pending: unknown };

/** Stores the state of an escalation, notifies open pages, and queues the next advance at `nextAt`; null queues none. */
async function save(tx: Tx, { incidentId, teamId }: Escalation, state: Saved, nextAt: Date | null): Promise<void> {
  const { status, round, step, nextStepAt, ownersNotifiedAt, pending } = state;
  const data = { status, round, step, nextStepAt, ownersNotifiedAt, pending: pending as object[], nextAt };
  await tx.escalation.update({ where: { incidentId }, data });
  await notify(tx, { team: teamId, kind: 'incident', ids: [incidentId] });
  if (!nextAt) return;
  const [priority = 0] = await escalationPriorities(tx, teamId, nextAt, 1);
  const options = { runAt: nextAt, jobKey: escalationKey(incidentId), priority };
  await enqueue(tx, advanceEscalation, { incidentId }, options);
}

/** Runs the due steps of an escalation, and queues itself for the next. */
export const advanceEscalation = defineJob({
  name: 'advance-escalation',
  schema: z.object({ incidentId: z.string() }),
  run: ({ incidentId }) => move(incidentId),
});

/** Records who was notified by a step, and advances the escalation if the outcome makes the next step due earlier. */
export const settleEscalation = defineJob({
  ...settleJob,
  run: ({ incidentId, eventKey }) => move(incidentId, parseStepKey(eventKey)),
});

/** If a job is this late, it was lost or is being retried. */
const LATE_MS = 30_000;

/** Queues the advance of late escalations again, because their job was lost or failed too often. */
export const sweepEscalations = defineJob({
  name: 'sweep-escalations',
  schema: z.object({}),
  maxAttempts: 3,
  async run() {
    const now = await databaseNow();
    const late = await db.escalation.findMany({
      where: { nextAt: { lt: new Date(now.getTime() - LATE_MS) }, incident: ofExistingTeam },
      select: { incidentId: true, teamId: true },
      orderBy: { nextAt: 'asc' },
      take: 1_000,
    });
    const counts = new Map<string, number>();
    const priorityOf = (teamId: string) => {
      const earlier = counts.get(teamId) ?? 0;
      counts.set(teamId, earlier + 1);
      return priorityAfter(earlier);
    };
    await enqueueMany(
      db,
      advanceEscalation,
      late.map(({ incidentId, teamId }) => {
        const priority = priorityOf(teamId);
        return { payload: { incidentId }, jobKey: escalationKey(incidentId), runAt: now, priority };
      }),
    );
  },
});
