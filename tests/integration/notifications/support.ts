import { createChannel } from '@/server/notifications/create-channel';
import { deliverMessage, settleSends } from '@/server/notifications/deliveries/deliver-channel';
import type { NotifiableEvent } from '@/server/notifications/messages/event';
import type { CreateChannelInput } from '@/server/notifications/schema';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { log } from '@/server/platform/log';
import type { TeamContext } from '@/server/trpc/contexts';
import { runJob } from '@/tests/support/run-job';

/** A team without members, and the context for calling verbs in it. */
export async function newTeam(): Promise<TeamContext> {
  const team = await db.team.create({ data: { id: newId(), name: 'Northwind', plan: 'self_hosted' } });
  const user = { id: newId(), email: 'ada@example.test', name: null, isAdmin: false };
  const session = { sessionId: newId(), sessionKind: 'tokens', sessionVersion: 1 } as const;
  return {
    db,
    log,
    requestId: newId(),
    address: '127.0.0.1',
    userAgent: null,
    actor: { kind: 'user', user, ...session, team, role: 'owner', scopes: ['read', 'write'] },
    user,
    team: { ...team, role: 'owner' },
  };
}

export async function newMonitor(teamId: string, name = 'Checkout', data: { allChannels?: boolean } = {}) {
  return db.monitor.create({
    data: {
      id: newId(),
      teamId,
      type: 'http',
      name,
      config: { url: 'https://example.com' },
      intervalSeconds: 60,
      ...data,
    },
  });
}

/** An event as the incident verbs enqueue it, about an existing incident. */
export async function openedEvent(
  ctx: TeamContext,
  monitor?: { id: string; name: string },
): Promise<NotifiableEvent & { incidentId: string }> {
  const teamId = ctx.team.id;
  const startedAt = new Date('2026-11-20T03:07:12.000Z');
  const row = { id: newId(), teamId, type: 'downtime', status: 'open', startedAt, cause: 'HTTP 503' } as const;
  const incident = await db.incident.create({ data: { ...row, monitorId: monitor?.id ?? null } });
  return {
    teamId,
    ...(monitor && { monitorIds: [monitor.id] }),
    incidentId: incident.id,
    event: 'incident.opened',
    eventKey: `incident.opened:${incident.id}`,
    data: {
      incident: {
        id: incident.id,
        type: 'downtime',
        status: 'open',
        title: null,
        cause: 'HTTP 503',
        startedAt: startedAt.toISOString(),
      },
      monitor: monitor ? { id: monitor.id, name: monitor.name } : null,
    },
  };
}

export function newWebhook(ctx: TeamContext, url: string, secret?: string) {
  const input: CreateChannelInput = { type: 'webhook', name: 'Ops', config: { url, ...(secret && { secret }) } };
  return createChannel({ ctx, input });
}

/** Sends what is due of channels as their queued jobs do, and waits until it is recorded. */
export async function deliver(channelIds: string | string[], signal?: AbortSignal): Promise<void> {
  for (const channelId of [channelIds].flat()) await runJob(deliverMessage, { channelId }, signal && { signal });
  await settleSends();
}
