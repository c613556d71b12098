import type { Tx } from './db';
import { teamDeleted } from './errors';
import { Prisma } from './generated/prisma/client';

/*
 * Every row lock of a request, in raw SQL because Prisma's model calls cannot lock the rows that they read.
 *
 * Lock order. A transaction that locks rows of several tables takes them in this order, and rows of one table in the order
 * of their ids. Transactions that follow it never deadlock:
 *
 *   1. teams            4. monitor states     7. channels
 *   2. users, members   5. monitors           8. deliveries
 *   3. status pages,    6. incidents
 *      their components,
 *      maintenance windows
 *
 * Forwarding to the fallbacks of a team (an advisory lock) comes before its channels.
 *
 * A monitor's own state, which sorts first (its region is ''), is locked before those of its regions: a transaction
 * that holds it has the monitor to itself.
 *
 * Strengths. `lock…` takes "for update" where the row may be deleted or its key matters, else "for no key update", which
 * does not block inserts that refer to the row. `share…` takes "for share", which keeps others from locking it. `hold…` takes "for key share": the row can change, but not disappear.
 *
 * The statements that lock and write at once follow the same order where they are: the claims and the recording of results
 * in server/checks, and those of deliveries in server/notifications/deliveries, which lock the channel first. Claims, their renewal and a
 * worker's recorder serve all teams, so they skip locked rows: a transaction of one team, such as its deletion, may hold its rows for minutes.
 */

/**
 * Makes statements of a transaction fail with an error that `isLockTimeout` if they wait longer than this for a lock, so that they do not hold a
 * connection.
 */
export async function limitLockWait(tx: Tx, waitMs: number): Promise<void> {
  await tx.$queryRaw`select set_config('lock_timeout', ${`${waitMs}ms`}, true)`;
}

/** Locks a team, so that counts made under the lock stay valid until the transaction ends. */
export async function lockTeam(tx: Tx, teamId: string): Promise<void> {
  await tx.$queryRaw`select 1 from teams where id = ${teamId} for no key update`;
}

/**
 * Takes a shared lock on a team, so that settings that are changed under the team's lock, such as maintenance windows, stay the same until the
 * transaction ends.
 */
export async function shareTeam(tx: Tx, teamId: string): Promise<void> {
  await tx.$queryRaw`select 1 from teams where id = ${teamId} for share`;
}

/** The key of the advisory lock of a team's deletion, which pings try to share. */
const deletionOf = (teamId: Prisma.Sql) => Prisma.sql`hashtextextended('upwatch deletion ' || ${teamId}, 0)`;

/** Makes pings of these teams fail (`isBeingDeleted`) until the transaction ends, so that they do not wait for the rows that it deletes. */
export async function announceDeletion(tx: Tx, teamIds: string[]): Promise<void> {
  await tx.$queryRaw`
    select pg_advisory_xact_lock(${deletionOf(Prisma.sql`id`)})::text
    from (select unnest(${teamIds}::text[]) as id order by id) team`;
}

/** SQL condition: whether another transaction is deleting a team. Does not wait for locks. */
export const isBeingDeleted = (teamId: Prisma.Sql) =>
  Prisma.sql`not pg_try_advisory_xact_lock_shared(${deletionOf(teamId)})`;

/** Locks several teams. */
export async function lockTeams(tx: Tx, teamIds: string[]): Promise<void> {
  await tx.$queryRaw`select 1 from teams where id = any(${teamIds}) order by id for no key update`;
}

/**
 * Locks a user's account.
 * @returns false if there is no such account
 */
export async function lockUser(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`select 1 from users where id = ${userId} for no key update`;
  return rows.length > 0;
}

/**
 * Locks an account that is about to be deleted. For an administrator, also locks all other administrators, so that the last one cannot be deleted.
 */
export async function lockDeletedUser(tx: Tx, userId: string): Promise<void> {
  await tx.$queryRaw`
    select 1 from users
    where id = ${userId} or (is_admin and exists (select 1 from users where id = ${userId} and is_admin))
    order by id for update`;
}

/** Serializes sign-ups until the transaction ends, with an advisory lock, because without an account there is no row to lock. */
export async function lockSignUps(tx: Tx): Promise<void> {
  await tx.$queryRaw`select pg_advisory_xact_lock(hashtextextended('upwatch first account', 0))::text`;
}

/**
 * Prevents a member from being removed.
 * @returns false if the team has no such member
 */
export async function holdMember(tx: Tx, teamId: string, userId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    select 1 from memberships where team_id = ${teamId} and user_id = ${userId} for key share`;
  return rows.length > 0;
}

/**
 * Locks a status page of the team.
 * @returns the storage key of its logo; null if the team has no such page
 */
export async function lockStatusPage(tx: Tx, teamId: string, id: string): Promise<{ logoKey: string | null } | null> {
  const [row] = await tx.$queryRaw<{ logoKey: string | null }[]>`
    select logo_key as "logoKey" from status_pages where id = ${id} and team_id = ${teamId} for update`;
  return row ?? null;
}

/**
 * Locks a component of one of the team's status pages, the page first.
 * @returns the page's ID, null if the team has no such component
 */
export async function lockComponent(tx: Tx, teamId: string, id: string): Promise<string | null> {
  const [page] = await tx.$queryRaw<{ id: string }[]>`
    select id from status_pages
    where team_id = ${teamId} and id = (select status_page_id from status_page_components where id = ${id})
    for update`;
  if (!page) return null;
  // A separate statement, so that it sees deletions that the first one waited for.
  const rows = await tx.$queryRaw<unknown[]>`select 1 from status_page_components where id = ${id} for update`;
  return rows.length > 0 ? page.id : null;
}

/**
 * Prevents components of the team's status pages from being deleted.
 * @returns the IDs that belong to the team
 */
export async function holdComponents(tx: Tx, teamId: string, ids: string[]): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select c.id from status_page_components c join status_pages p on p.id = c.status_page_id
    where p.team_id = ${teamId} and c.id = any(${ids}) order by c.id for key share of c`;
  return new Set(rows.map(({ id }) => id));
}

/**
 * Locks a maintenance window of the team.
 * @returns false if the team has no such window
 */
export async function lockMaintenanceWindow(tx: Tx, teamId: string, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    select 1 from maintenance_windows where id = ${id} and team_id = ${teamId} for update`;
  return rows.length > 0;
}

/** Locks a monitor's own state. */
export async function lockMonitorState(tx: Tx, monitorId: string): Promise<void> {
  await tx.$queryRaw`select 1 from monitor_states where monitor_id = ${monitorId} and region = '' for update`;
}

/** What to do with rows that another transaction has locked. */
export type IfHeld = 'wait' | 'skip';

/** Returns the SQL clause after "for update". */
export const orSkip = (ifHeld: IfHeld) => (ifHeld === 'skip' ? Prisma.sql`skip locked` : Prisma.empty);

/**
 * Locks the states of monitors, including those of their regions.
 * @returns their columns as in `Row`, and the monitors' versions
 */
export function lockMonitorStates<Row extends { monitor_id: string; version: number }>(
  tx: Tx,
  monitorIds: string[],
  ifHeld: IfHeld = 'wait',
): Promise<Row[]> {
  return tx.$queryRaw<Row[]>`
    select s.*, m.version from monitor_states s join monitors m on m.id = s.monitor_id
    where s.monitor_id = any(${monitorIds}::text[]) order by s.monitor_id, s.region for update of s ${orSkip(ifHeld)}`;
}

/** Locks the states of all monitors of these teams. */
export async function lockMonitorStatesOfTeams(tx: Tx, teamIds: string[]): Promise<void> {
  await tx.$queryRaw`
    select 1 from monitor_states where monitor_id in (select id from monitors where team_id = any(${teamIds}))
    order by monitor_id, region for update`;
}

/** Locks the own states of the monitors of a team's incidents. Incidents without a monitor are ignored. */
export async function lockMonitorStatesOfIncidents(tx: Tx, teamId: string, incidentIds: string[]): Promise<void> {
  await tx.$queryRaw`
    select 1 from monitor_states where team_id = ${teamId} and region = ''
      and monitor_id in (select monitor_id from incidents where id = any(${incidentIds}) and team_id = ${teamId})
    order by monitor_id for update`;
}

/** Locks the own state of the monitor of a team's incident, if it has one. */
export function lockMonitorStateOfIncident(tx: Tx, teamId: string, incidentId: string): Promise<void> {
  return lockMonitorStatesOfIncidents(tx, teamId, [incidentId]);
}

/**
 * Locks a monitor of the team, its own state first, by its ID or externalId.
 * @returns its ID, null if the team has no such monitor
 */
export async function lockMonitor(
  tx: Tx,
  teamId: string,
  key: { id: string } | { externalId: string },
): Promise<string | null> {
  const named = 'id' in key ? Prisma.sql`m.id = ${key.id}` : Prisma.sql`m.external_id = ${key.externalId}`;
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    select m.id from monitor_states s join monitors m on m.id = s.monitor_id
    where m.team_id = ${teamId} and ${named} and s.region = '' for update of s for no key update of m`;
  return row?.id ?? null;
}

/**
 * Locks several monitors of the team: their states first, including those of their regions.
 * @returns the IDs that belong to the team
 */
export async function lockMonitors(tx: Tx, teamId: string, ids: string[]): Promise<string[]> {
  await tx.$queryRaw`
    select 1 from monitor_states where team_id = ${teamId} and monitor_id = any(${ids})
    order by monitor_id, region for update`;
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select id from monitors where team_id = ${teamId} and id = any(${ids}) order by id for no key update`;
  return rows.map(({ id }) => id);
}

/**
 * Locks a monitor of the team without its state.
 * @returns null if the team has no such monitor
 */
export async function lockMonitorWithoutState(
  tx: Tx,
  teamId: string,
  id: string,
): Promise<{ num: number; name: string } | null> {
  const [row] = await tx.$queryRaw<{ num: number; name: string }[]>`
    select num, name from monitors where id = ${id} and team_id = ${teamId} for no key update`;
  return row ?? null;
}

/**
 * Prevents monitors of the team from being deleted.
 * @returns the IDs that belong to the team
 */
export async function holdMonitors(tx: Tx, teamId: string, ids: string[]): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select id from monitors where team_id = ${teamId} and id = any(${ids}) order by id for key share`;
  return new Set(rows.map(({ id }) => id));
}

/**
 * Prevents a team from being deleted until the transaction ends. Incidents and their audit entries have no foreign key to the team, so rows written
 * after its deletion would remain. Taken right before incidents, because a deletion removes members, monitors and status pages before the team.
 * @throws AppError UNAUTHENTICATED if the team was deleted after the caller was authenticated
 */
export async function holdTeam(tx: Tx, teamId: string): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`select 1 from teams where id = ${teamId} for key share`;
  if (rows.length === 0) throw teamDeleted();
}

/**
 * Locks those of these incidents that exist in the team, and holds the team.
 * @throws AppError UNAUTHENTICATED, as `holdTeam`
 */
export async function lockIncidents(tx: Tx, teamId: string, ids: string[]): Promise<void> {
  await holdTeam(tx, teamId);
  await tx.$queryRaw`
    select 1 from incidents where id = any(${ids}) and team_id = ${teamId} order by id for no key update`;
}

/** Locks an incident of the team, if it exists. */
export function lockIncident(tx: Tx, teamId: string, id: string): Promise<void> {
  return lockIncidents(tx, teamId, [id]);
}

/** Locks a channel of the team, if it exists. */
export async function lockChannel(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx.$queryRaw`select 1 from channels where id = ${id} and team_id = ${teamId} for no key update`;
}

/**
 * Locks channels of the team against deletion until the transaction ends: those with these IDs, and those that these monitors notify.
 * @param options.ownerId locks contact methods of this member instead of channels of the team
 * @returns the IDs of the locked channels; IDs of other teams or owners are left out
 */
export async function holdChannels(
  tx: Tx,
  teamId: string,
  { ids, ofMonitors = [], ownerId = null }: { ids: string[]; ofMonitors?: string[]; ownerId?: string | null },
): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select id from channels
    where team_id = ${teamId} and owner_id is not distinct from ${ownerId}
      and (id = any(${ids}) or id in (select channel_id from monitor_channels where monitor_id = any(${ofMonitors})))
    order by id for key share`;
  return new Set(rows.map(({ id }) => id));
}

/**
 * Serializes forwarding to the fallbacks of these channels' teams, with an advisory lock. Does not lock the fallback channels: of two failing
 * channels, each may be the other's fallback, and each sender has locked its own, so they would deadlock.
 */
export async function lockForwarding(tx: Tx, channelIds: string[]): Promise<void> {
  if (channelIds.length === 0) return;
  await tx.$queryRaw`
    select pg_advisory_xact_lock(hashtextextended('upwatch forwarding ' || team_id, 0))::text
    from (select distinct team_id from channels where id = any(${channelIds}) and owner_id is null order by team_id) team`;
}

/**
 * Prevents channels, including contact methods, from being deleted.
 * @returns the IDs that exist
 */
export async function holdDestinations(tx: Tx, ids: string[]): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select id from channels where id = any(${ids}) and team_id is not null order by id for key share`;
  return new Set(rows.map(({ id }) => id));
}
