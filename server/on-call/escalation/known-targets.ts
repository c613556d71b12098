import type { Db } from '@/server/platform/db';
import { takeLoopTurn } from '@/server/platform/loop-share';
import { type LoadedSchedule, loadSchedules, readNames } from '../queries';
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
  /** The contact methods of each member, in order. */
  methods: ReadonlyMap<string, Method[]>;
  schedules: ReadonlyMap<string, LoadedSchedule>;
  /** Who is on call in each schedule at the start of the range; null for nobody. */
  onCall: ReadonlyMap<string, string | null>;
  /** The channels of the team that steps name. A failing one with a working fallback still reaches somebody. */
  channels: ReadonlyMap<string, { name: string; isFailing: boolean; hasFallback: boolean }>;
}

const failing = { select: { failedAt: true } } as const;

/**
 * Reads the targets of steps, the contact methods of all members, and who is on call at the start of a range; schedules with overrides in the range.
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
  const rows = await db.channel.findMany({
    where: { teamId, OR: [{ ownerId: { not: null } }, { id: { in: idsOf('channel') } }] },
    select: {
      id: true,
      ownerId: true,
      name: true,
      delayMinutes: true,
      failedAt: true,
      fallback: failing,
      team: { select: { fallbackChannelId: true, fallbackChannel: failing } },
    },
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
  });
  const methods = new Map<string, Method[]>();
  const channels = new Map<string, { name: string; isFailing: boolean; hasFallback: boolean }>();
  for (const { id, ownerId, name, delayMinutes, failedAt, fallback, team } of rows) {
    const isFailing = failedAt !== null;
    if (ownerId === null) {
      const other = fallback ?? (team?.fallbackChannelId === id ? null : team?.fallbackChannel);
      channels.set(id, { name, isFailing, hasFallback: other?.failedAt === null });
    } else methods.set(ownerId, [...(methods.get(ownerId) ?? []), { channelId: id, delayMinutes, isFailing }]);
  }
  const onCall = new Map<string, string | null>();
  for (const { row, rota } of schedules) {
    await takeLoopTurn(teamId);
    onCall.set(row.id, whoIsOnCall(rota, range.from));
  }
  return { names, methods, channels, onCall, schedules: new Map(schedules.map((each) => [each.row.id, each])) };
}
