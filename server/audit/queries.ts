import { planLimits } from '@/server/plans/plans';
import { type Db, db, type Tx } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';

const historyDays = Object.fromEntries(Object.entries(planLimits).map(([plan, limits]) => [plan, limits.historyDays]));
const days = Object.values(historyDays);

/** Deletes entries past the retention of their team's plan, or past the longest if the team is gone. */
export function deleteExpired(limit: number): Promise<number> {
  // Raw: entries have no relation to teams, so no model call can compare their age with the plan's retention. Skips locked rows until the next run.
  return db.$executeRaw`
    delete from audit_entries where ctid = any(array(
      select ctid from audit_entries
      where team_id is not null and at < now() - make_interval(days => ${Math.min(...days)}::int)
        and at < now() - make_interval(days => coalesce(
          (select (${JSON.stringify(historyDays)}::jsonb ->> plan::text)::int from teams
           where teams.id = audit_entries.team_id),
          ${Math.max(...days)}::int))
      limit ${limit} for update skip locked))`;
}

interface Latest {
  /** This action, or any action on this kind of object; null for all. */
  action: string | null;
  /** The ID of the object that was changed; null for all. */
  target: string | null;
  /** The ID that the entries are older than; null for none. */
  before: string | null;
  limit: number;
}

/**
 * Returns the IDs of a team's latest entries with an action, or of one object, newest first. Reads at most `limit` entries of each action, because a
 * team may have millions of entries, few of them with this one.
 */
export async function findLatest(
  from: Db,
  teamId: string,
  { action, target, before, limit }: Latest,
): Promise<string[]> {
  const among = target === null ? Prisma.empty : Prisma.sql`and e.target_id = ${target}`;
  const older = before === null ? Prisma.empty : Prisma.sql`and e.id < ${before}`;
  const only =
    action === null
      ? Prisma.empty
      : Prisma.sql`where known.action = ${action} or starts_with(known.action, ${`${action}.`})`;
  // Raw: skips from one action to the next in the index.
  const rows = await from.$queryRaw<{ id: string }[]>`
    with recursive known as (
      (select action from audit_entries e where team_id = ${teamId} ${among} and action >= ${action ?? ''} order by action limit 1)
      union all
      select (
        select e.action from audit_entries e where e.team_id = ${teamId} ${among} and e.action > known.action order by e.action limit 1
      ) from known where known.action is not null
    )
    select e.id from known cross join lateral (
      select e.id from audit_entries e where e.team_id = ${teamId} ${among} and e.action = known.action ${older}
      order by e.id desc limit ${limit}
    ) e
    ${only}
    order by e.id desc limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** Inserts entries, which get the time of the statement. */
export async function insertEntries(tx: Tx, entries: Omit<Prisma.AuditEntryCreateManyInput, 'at'>[]): Promise<void> {
  if (entries.length === 0) return;
  // Raw: for a hundred entries, a model call takes more CPU than the rest of a bulk call, while the changed rows are locked.
  await tx.$executeRaw`
    insert into audit_entries (id, at, team_id, actor_kind, actor_id, actor_name, credential, address, request_id, action,
      target_type, target_id, target_name, reason, before, after)
    select id, statement_timestamp(), "teamId", "actorKind"::audit_actor_kind, "actorId", "actorName", credential, address, "requestId",
      action, "targetType", "targetId", "targetName", reason, before, after
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as entry (
      id text, "teamId" text, "actorKind" text, "actorId" text, "actorName" text, credential text, address text, "requestId" text,
      action text, "targetType" text, "targetId" text, "targetName" text, reason text, before jsonb, after jsonb)`;
}
