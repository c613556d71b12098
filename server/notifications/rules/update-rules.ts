import { isDeepStrictEqual } from 'node:util';
import { recordAudit } from '@/server/audit/record-audit';
import type { Db, Tx } from '@/server/platform/db';
import { invalidField } from '@/server/platform/errors';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { notify } from '@/server/platform/listen';
import { holdMonitors, lockChannel } from '@/server/platform/locks';
import type { Call, OnOneObject } from '@/server/trpc/contexts';
import { makeAllDue } from '../deliveries/make-all-due';
import { channelDefinitionOf } from '../providers/definitions';
import { findChannel } from '../queries';
import { AlertKind, type ChannelRules, eventsOf, QuietHours, type UpdateRulesInput } from './rules';
import { countMatching } from './rules-queries';

type Rules = Omit<ChannelRules, 'matchingMonitors'>;
type Row = Awaited<ReturnType<typeof findChannel>>;

async function toRules(db: Db, row: Row): Promise<Rules> {
  const routed = await db.channelRoute.findMany({ where: { channelId: row.id }, orderBy: { monitorId: 'asc' } });
  return {
    monitorIds: row.allMonitors ? null : routed.map(({ monitorId }) => monitorId),
    tags: row.tags,
    minSeverity: row.minSeverity,
    events: eventsOf(row.type).filter((kind) => !row.mutedEvents.includes(kind)),
    quietHours: QuietHours.nullable().parse(row.quietHours),
    maxPerMinute: row.maxPerMinute,
    reminderMinutes: row.reminderMinutes,
  };
}

/**
 * Returns the rules of a channel and the number of monitors that match them.
 * @throws AppError NOT_FOUND
 */
export async function readRules({ ctx, input: { id } }: OnOneObject): Promise<ChannelRules> {
  const row = await findChannel(ctx.db, ctx.team.id, id);
  return { ...(await toRules(ctx.db, row)), matchingMonitors: await countMatching(ctx.db, id) };
}

/** Returns the rules after a change; omitted fields keep their value. All monitors (`monitorIds` null) without tags removes the tags. */
function merge(before: Rules, { id: _id, ...changes }: UpdateRulesInput): Rules {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const after: Rules = { ...before, ...given };
  const ids = after.monitorIds && [...new Set(after.monitorIds)].sort();
  const isForAll = changes.monitorIds === null && changes.tags === undefined;
  const tags = isForAll ? [] : [...new Set(after.tags)];
  const events = AlertKind.options.filter((kind) => after.events.includes(kind));
  // A scope of tags names no monitors, so the list is empty instead of null.
  return { ...after, tags, events, monitorIds: ids ?? (tags.length > 0 ? [] : null) };
}

/**
 * Rejects rules that only make sense for people.
 * @throws AppError VALIDATION_ERROR
 */
function assertForPeople({ type }: Row, { quietHours, reminderMinutes }: Rules): void {
  const { label, mirrorsIncidents } = channelDefinitionOf(type);
  if (!mirrorsIncidents) return;
  const message = `${label} keeps its own copy of each incident and gets every event at once.`;
  if (quietHours) throw invalidField('quietHours', message);
  if (reminderMinutes > 0) throw invalidField('reminderMinutes', message);
}

/** @throws AppError VALIDATION_ERROR */
function assertEvents({ type }: Row, { events }: Rules): void {
  const other = events.find((kind) => !eventsOf(type).includes(kind));
  if (other === undefined) return;
  throw invalidField('events', `${channelDefinitionOf(type).label} pages people and gets no ${other} events.`);
}

/** @throws AppError VALIDATION_ERROR */
async function setRoutes(tx: Tx, teamId: string, channelId: string, monitorIds: string[]): Promise<void> {
  const held = await holdMonitors(tx, teamId, monitorIds);
  if (held.size < monitorIds.length) {
    throw invalidField('monitorIds', 'One of these monitors does not exist in this team.');
  }
  await tx.channelRoute.deleteMany({ where: { channelId } });
  await tx.channelRoute.createMany({ data: monitorIds.map((monitorId) => ({ channelId, monitorId })) });
}

/**
 * Changes which alerts a channel gets, and when. Applies to future events. If the quiet hours change, the deliveries that they hold become due and
 * are held again if necessary.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR
 */
export async function updateRules({ ctx, input }: Call<UpdateRulesInput>): Promise<ChannelRules> {
  const { id: teamId } = ctx.team;
  const { id } = input;
  await ctx.db.$transaction(async (tx) => {
    // Monitors come before channels in the lock order.
    if (input.monitorIds) await holdMonitors(tx, teamId, input.monitorIds);
    await lockChannel(tx, teamId, id);
    const row = await findChannel(tx, teamId, id);
    const before = await toRules(tx, row);
    const after = merge(before, input);
    assertForPeople(row, after);
    assertEvents(row, after);
    if (after.monitorIds?.length === 0 && after.tags.length === 0) {
      throw invalidField('monitorIds', 'Provide at least one monitor or tag, or null for all.');
    }
    if (isDeepStrictEqual(before, after)) return;
    if (!isDeepStrictEqual(before.monitorIds, after.monitorIds)) {
      await setRoutes(tx, teamId, id, after.monitorIds ?? []);
    }
    const { tags, minSeverity, maxPerMinute, reminderMinutes, quietHours } = after;
    await tx.channel.update({
      where: { id },
      data: {
        tags,
        minSeverity,
        maxPerMinute,
        reminderMinutes,
        allMonitors: after.monitorIds === null,
        mutedEvents: AlertKind.options.filter((kind) => !after.events.includes(kind)),
        quietHours: quietHours ?? Prisma.DbNull,
        // The channel's version stays, because the settings that forms compare did not change.
        updatedAt: row.updatedAt,
      },
    });
    if (!isDeepStrictEqual(before.quietHours, quietHours)) await makeAllDue(tx, id, { heldOnly: true });
    const target = { type: 'channel', id, name: row.name };
    await recordAudit(tx, ctx, { teamId, action: 'channel.update', target, before, after });
    await notify(tx, { team: teamId, kind: 'channel', ids: [id] });
  });
  return readRules({ ctx, input: { id } });
}
