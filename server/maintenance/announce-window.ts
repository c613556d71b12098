import { z } from 'zod';
import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import type { NotifiableEvent } from '@/server/notifications/messages/event';
import { databaseNow } from '@/server/platform/database-now';
import { db, type Tx } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { BEHIND_ALERTS, defineJob, enqueue } from '@/server/platform/jobs';
import { lockMaintenanceWindow } from '@/server/platform/locks';
import { Announced, type Announcement, decideAnnouncements } from './announcements';
import { covers, type Scope } from './period-queries';
import type { Times } from './recurrence/recurrence';

const MOST_NAMES = 20;

interface AnnouncedWindow extends Scope, Times {
  title: string;
  announceHours: number | null;
  notifiesChannels: boolean;
  announced: Prisma.JsonValue;
}

/** The monitors that a window covers. */
interface Covered {
  /** The first 20 by name. */
  names: string[];
  count: number;
  /** The IDs of all, whose channels are notified; null if all channels of the team are. */
  ids: string[] | null;
}

/** Reads the monitors that a window covers: the IDs only if they decide on the channels, because there may be thousands. */
async function readCovered(tx: Tx, window: AnnouncedWindow): Promise<Covered> {
  const { teamId } = window;
  const where = { teamId, ...covers(window) };
  const count = await tx.monitor.count({ where });
  const named = await tx.monitor.findMany({
    where,
    select: { name: true },
    orderBy: { name: 'asc' },
    take: MOST_NAMES,
  });
  // Whether any channel of the team is limited to some monitors.
  const isRouted = (await tx.channel.count({ where: { teamId, allMonitors: false } })) > 0;
  const one = isRouted
    ? null
    : await tx.monitor.findFirst({ where: { ...where, allChannels: true }, select: { id: true } });
  const rows = one ? null : await tx.monitor.findMany({ where, select: { id: true } });
  return { names: named.map(({ name }) => name), count, ids: rows?.map(({ id }) => id) ?? null };
}

/**
 * Builds the event of an announcement. It names the window's monitors, so that only their channels are notified; without them if all channels of the
 * team are.
 */
function toEvent(
  window: AnnouncedWindow,
  { names, count, ids }: Covered,
  { kind, startsAt, endsAt, isAgain = false }: Announcement,
  now: Date,
): NotifiableEvent {
  // The key is unique per occurrence. A cancelled occurrence may be scheduled again, so the keys of its events also contain the present time.
  const time = kind === 'cancelled' || isAgain ? `:${now.toISOString()}` : '';
  return {
    teamId: window.teamId,
    event: `maintenance.${kind}`,
    eventKey: `maintenance.${kind}:${window.id}:${startsAt.toISOString()}${time}`,
    data: {
      incident: null,
      monitor: null,
      maintenance: {
        id: window.id,
        title: window.title,
        startsAt: startsAt.toISOString(),
        endsAt: endsAt.toISOString(),
        monitorNames: names,
        monitorCount: count,
      },
    },
    ...(ids && { monitorIds: ids }),
  };
}

/**
 * Enqueues the messages of announcements. Sends none if the window covers no monitors.
 * @returns false if the window covers no monitors
 */
async function notifyChannels(
  tx: Tx,
  window: AnnouncedWindow,
  announcements: Announcement[],
  now: Date,
): Promise<boolean> {
  if (announcements.length === 0) return true;
  const covered = await readCovered(tx, window);
  if (covered.count === 0) return false;
  for (const each of announcements) await createDeliveries(tx, [toEvent(window, covered, each, now)]);
  return true;
}

const announcedOf = ({ announced }: AnnouncedWindow) => Announced.nullable().parse(announced);

/** Notifies channels that a window has ended or is cancelled, because it is being deleted. The caller has locked the window. */
export async function announceDeletion(tx: Tx, window: AnnouncedWindow, now: Date): Promise<void> {
  if (!window.notifiesChannels) return;
  const { announcements } = decideAnnouncements(null, window.announceHours, announcedOf(window), now);
  await notifyChannels(tx, window, announcements, now);
}

/**
 * Notifies channels before an occurrence of a window, at its start, at its end, and when an announced occurrence is cancelled. Stores what it
 * announced and decides by that, so that a late run catches up. Queues itself for the next announcement.
 */
export const announceWindow = defineJob({
  name: 'announce-maintenance',
  schema: z.object({ windowId: z.string() }),
  async run({ windowId: id }) {
    const found = await db.maintenanceWindow.findUnique({ where: { id }, select: { teamId: true } });
    if (!found) return;
    await db.$transaction(async (tx) => {
      if (!(await lockMaintenanceWindow(tx, found.teamId, id))) return;
      const window = await tx.maintenanceWindow.findUniqueOrThrow({ where: { id } });
      const now = await databaseNow(tx);
      const last = window.notifiesChannels ? announcedOf(window) : null;
      const { announcements, announced, nextAt } = decideAnnouncements(
        window.notifiesChannels ? window : null,
        window.announceHours,
        last,
        now,
      );
      const isNotified = await notifyChannels(tx, window, announcements, now);
      await tx.maintenanceWindow.update({
        where: { id },
        data: {
          announced: announced && isNotified ? JSON.parse(JSON.stringify(announced)) : Prisma.DbNull,
          updatedAt: window.updatedAt,
        },
      });
      if (nextAt) await queueAnnouncements(tx, window, nextAt);
    });
  },
});

/**
 * Queues the job that announces a window. The jobs of a team run one at a time, because each writes a message per channel, and a thousand windows may
 * start in the same minute.
 * @param runAt when the next announcement is due; by default, the job runs at once
 */
export async function queueAnnouncements(
  tx: Tx,
  { id: windowId, teamId }: { id: string; teamId: string },
  runAt?: Date,
): Promise<void> {
  const options = {
    jobKey: `announce-maintenance:${windowId}`,
    queue: `maintenance:${teamId}`,
    priority: BEHIND_ALERTS,
  };
  await enqueue(tx, announceWindow, { windowId }, { ...options, ...(runAt && { runAt }) });
}
