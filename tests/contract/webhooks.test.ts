import { beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '@/server/api/openapi/document';
import { webhookBodies } from '@/server/api/openapi/webhooks';
import { advanceEscalation } from '@/server/incidents/escalations/advance-escalation';
import { enqueueNotifications } from '@/server/incidents/events';
import { incidentInclude } from '@/server/incidents/to-incident';
import { announceWindow } from '@/server/maintenance/announce-window';
import { notifyHealthChange } from '@/server/notifications/deliveries/notify-health-change';
import { WebhookEvent } from '@/server/notifications/schema';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { httpMonitor, type Person, rest, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';

const document = openApiDocument();

describe.each(WebhookEvent.options)('webhook %s', (type) => {
  it('has an example that matches its schema', () => {
    const media = document.webhooks?.[type]?.post.requestBody?.content['application/json'];
    expect(webhookBodies[type].safeParse(media?.example).error).toBeUndefined();
    const { $ref = '' } = media?.schema ?? {};
    expect(document.components.schemas).toHaveProperty([$ref.split('/').at(-1) ?? '']);
  });
});

describe('sent webhook', () => {
  let person: Person;
  const call = async (path: string, body: unknown = {}) => {
    const answer = await rest('POST', path, { token: person.token, body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };

  /** Turns another channel failing twice, with this one as its fallback. */
  async function tellOfAnother(fallbackChannelId: string) {
    const id = newId();
    const { teamId } = person;
    await db.channel.create({
      data: { id, teamId, type: 'webhook', name: 'Other', config: { url: 'http://127.0.0.1:9/' }, fallbackChannelId },
    });
    const works = { deliveredAt: null, failingSince: null, failedMessages: 0, failedAt: null, lastError: null };
    const of = { ...works, id, teamId, ownerId: null, type: 'webhook', name: 'Other', ownersNotifiedAt: null };
    for (const failedAt of [new Date(1e12), new Date(2e12)]) {
      const failing = { ...of, failingSince: failedAt, failedMessages: 1, failedAt, lastError: 'It answered 404' };
      await db.$transaction((tx) => notifyHealthChange(tx, of, failing));
      await db.$transaction((tx) => notifyHealthChange(tx, failing, of));
    }
    await db.channel.delete({ where: { id } });
  }

  beforeAll(async () => {
    person = await signUp();
    const config = { url: 'http://127.0.0.1:9/' };
    const { channel } = await call('/dashboard/notification-channels', { type: 'webhook', name: 'Ops', config });
    await tellOfAnother(channel.id);
    await call(`/dashboard/notification-channels/${channel.id}/test`);
    const { monitor } = await call('/api/v1/monitors', httpMonitor());
    for (const _ of [1, 2]) {
      const startsAt = new Date(Date.now() + 3_600_000).toISOString();
      const endsAt = new Date(Date.now() + 7_200_000).toISOString();
      const window = { title: 'Work', startsAt, endsAt, announceHours: 24, notifiesChannels: true };
      const { maintenanceWindow } = await call('/api/v1/maintenance-windows', window);
      const look = () => runJob(announceWindow, { windowId: maintenanceWindow.id });
      await look();
      const data = { startsAt: new Date(Date.now() - 60_000) };
      await db.maintenanceWindow.update({ where: { id: maintenanceWindow.id }, data });
      await look();
      await call(`/api/v1/maintenance-windows/${maintenanceWindow.id}/end`);
      await look();
      const { maintenanceWindow: cancelled } = await call('/api/v1/maintenance-windows', window);
      await runJob(announceWindow, { windowId: cancelled.id });
      const path = `/api/v1/maintenance-windows/${cancelled.id}`;
      expect((await rest('DELETE', path, { token: person.token })).status).toBe(200);
    }
    const steps = [{ targets: [{ type: 'channel', id: channel.id }], waitMinutes: 5 }];
    await call('/api/v1/escalation-policies', { name: 'Payments', steps });
    for (const monitorId of [monitor.id, null]) {
      const { incident } = await call('/api/v1/incidents', { title: 'Late', monitorId });
      await runJob(advanceEscalation, { incidentId: incident.id });
      await call(`/api/v1/incidents/${incident.id}/acknowledge`);
      await call(`/api/v1/incidents/${incident.id}/resolve`);
      await call(`/api/v1/incidents/${incident.id}/reopen`);
      const row = await db.incident.findUniqueOrThrow({ where: { id: incident.id }, include: incidentInclude });
      await db.$transaction((tx) => enqueueNotifications(tx, 'monitor.certificate_expiring', [row]));
    }
  });

  it.each(WebhookEvent.options)('matches the document, with links to its subject: %s', async (type) => {
    const rows = await db.delivery.findMany({ where: { teamId: person.teamId, event: type } });
    const counts: Partial<Record<WebhookEvent, number>> = { 'channel.test': 1, 'maintenance.upcoming': 4 };
    expect(rows).toHaveLength(counts[type] ?? 2);
    for (const { payload } of rows) {
      const { data } = webhookBodies[type].parse(payload) as {
        data: Record<'incident' | 'monitor', { id: string } | null> & {
          maintenance?: { id: string };
          links: Record<string, string | null>;
        };
      };
      expect(data.links).toEqual({
        ...(data.maintenance && { maintenance: `http://127.0.0.1:3000/maintenance/${data.maintenance.id}` }),
        incident: data.incident && `http://127.0.0.1:3000/incidents/${data.incident.id}`,
        monitor: data.monitor && `http://127.0.0.1:3000/monitors/${data.monitor.id}`,
      });
    }
  });
});
