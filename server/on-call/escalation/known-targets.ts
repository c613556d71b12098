import type { Db } from '@/server/platform/db';
import { takeLoopTurn } from '@/server/platform/loop-share';
import { type LoadedSchedule, loadSchedules, readContactMethods, readNames } from '../queries';
import { whoIsOnCall } from '../rota/who-is-on-call';
import type { EscalationStep, EscalationTarget } from '../schema';

interface Method {
  channelId: string;
  delayMinutes: number;
  /** Whether the channel is failing. */
  isFailing: boolean;
}

/** The targets of steps by ID. Deleted targets are missing. */
export interface KnownTargets {
  /** The names of all members of the team. */
  names: ReadonlyMap<string, string>;
  /** The contact methods of the people of steps and schedules, in order. */
  methods: ReadonlyMap<string, Method[]>;
  schedules: ReadonlyMap<string, LoadedSchedule>;
  /** Who is on call in each schedule at the start of the range; null for nobody. */
  onCall: ReadonlyMap<string, string | null>;
  /** The channels of the team that steps name. A failing one with a working fallback still reaches somebody. */
  channels: ReadonlyMap<string, { name: string; isFailing: boolean; hasFallback: boolean }>;
}

const failing = { select: { failedAt: true } } as const;

async function readChannels(db: Db, teamId: string, ids: string[]) {
  const channels = new Map<string, { name: string; isFailing: boolean; hasFallback: boolean }>();
  if (ids.length === 0) return channels;
  const rows = await db.channel.findMany({
    where: { teamId, ownerId: null, id: { in: ids } },
    select: {
      id: true,
      name: true,
      failedAt: true,
      fallback: failing,
      team: { select: { fallbackChannelId: true, fallbackChannel: failing } },
    },
  });
  for (const { id, name, failedAt, fallback, team } of rows) {
    const other = fallback ?? (team?.fallbackChannelId === id ? null : team?.fallbackChannel);
    channels.set(id, { name, isFailing: failedAt !== null, hasFallback: other?.failedAt === null });
  }
  return channels;
}

/**
 * Reads the targets of steps, the contact methods of the people whom they may reach, and who is on call at the start of a range; schedules with
 * overrides in the range.
 */
export async function readTargets(
  db: Db,
  teamId: string,
  steps: EscalationStep[],
  range: { from: Date; to: Date },
): Promise<KnownTargets> {
  const targets = steps.flatMap((step) => step.targets);
  const idsOf = (type: EscalationTarget['type']) => targets.flatMap((each) => (each.type === type ? each.id : []));
  const names = await readNames(db, teamId);
  const schedules = await loadSchedules(db, teamId, { ids: idsOf('schedule'), ...range }, names);
  const onCall = new Map<string, string | null>();
  const people = new Set(idsOf('user'));
  for (const { row, rota } of schedules) {
    await takeLoopTurn(teamId);
    onCall.set(row.id, whoIsOnCall(rota, range.from));
    for (const { userIds } of rota.layers) for (const userId of userIds) people.add(userId);
    for (const { userId } of rota.overrides) people.add(userId);
  }
  const methods = new Map<string, Method[]>();
  const members = [...people].filter((userId) => names.has(userId));
  for (const [userId, rows] of await readContactMethods(db, teamId, members))
    methods.set(
      userId,
      rows.map(({ id, delayMinutes, failedAt }) => ({ channelId: id, delayMinutes, isFailing: failedAt !== null })),
    );
  const channels = await readChannels(db, teamId, idsOf('channel'));
  return { names, methods, channels, onCall, schedules: new Map(schedules.map((each) => [each.row.id, each])) };
}
