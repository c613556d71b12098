import { AppError } from '@/server/platform/errors';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import { editableConfig, maskConfig } from '../config/config-secrets';
import { pingUrlOf } from '../config/ping-url';
import type { Monitor } from '../schema';
import { shownSelect, shownStatus } from './shown-status';

export function monitorNotFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such monitor.');
}

/** The relations needed to map a row to a `Monitor`. */
export const monitorInclude = {
  states: { where: { region: '' }, select: { ...shownSelect, lastCheckedAt: true } },
  channels: { select: { channelId: true } },
} satisfies Prisma.MonitorInclude;

type Row = Prisma.MonitorGetPayload<{ include: typeof monitorInclude }>;

/** Whether fields that may contain secrets are shown (to editors) or masked. Credentials are always masked. */
export type MonitorView = 'editable' | 'masked';

/** The columns of a `Monitor`; times are ISO 8601 in UTC. */
export type Facts = Omit<Monitor, 'isActive' | 'channelIds' | 'config'> &
  Pick<Row, 'isActive' | 'allChannels' | 'config' | 'pingToken'> & { channelIds: string[] };

/** Returns the config for a view. Hides the ping URL from viewers, because anyone who knows it can ping. */
function configOf({ type, config, pingToken }: Facts, view: MonitorView): Monitor['config'] {
  if (view === 'masked') return maskConfig(type, config);
  const editable = editableConfig(type, config);
  const pingUrl = pingUrlOf({ pingToken });
  return pingUrl === null ? editable : { ...editable, pingUrl };
}

export function fromFacts(facts: Facts, view: MonitorView): Monitor {
  return {
    id: facts.id,
    teamId: facts.teamId,
    type: facts.type,
    name: facts.name,
    config: configOf(facts, view),
    intervalSeconds: facts.intervalSeconds,
    status: facts.status,
    isActive: facts.isActive ? 1 : 0,
    tags: facts.tags,
    channelIds: facts.allChannels ? null : facts.channelIds.sort(),
    regions: facts.regions,
    severity: facts.severity,
    externalId: facts.externalId,
    lastCheckedAt: facts.lastCheckedAt,
    createdAt: facts.createdAt,
    updatedAt: facts.updatedAt,
  };
}

/** Maps a row to the API form: the status displayed now (`shownStatus`), secrets masked according to `view`, times as text. */
export function toMonitor(row: Row, view: MonitorView): Monitor {
  const [state] = row.states;
  const facts = {
    ...row,
    status: state ? shownStatus(state, new Date()).status : 'pending',
    lastCheckedAt: state?.lastCheckedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    channelIds: row.channels.map(({ channelId }) => channelId),
  };
  return fromFacts(facts, view);
}
