import { type AccountMail, accountMail } from '@/server/auth/send-account-mail';
import { egressMail } from '@/server/checks/run/report-egress';
import { unreachedMail } from '@/server/incidents/escalations/mail-unreached';
import { confirmationMail } from '@/server/notifications/confirmations/send-confirmation';
import { channelHealthMail } from '@/server/notifications/deliveries/mail-channel-health';
import type { EventData, EventPayload } from '@/server/notifications/messages/event';
import { type Single, toGroupMessages } from '@/server/notifications/messages/group-message';
import { toMessage } from '@/server/notifications/messages/to-message';
import { alertMail } from '@/server/notifications/providers/email/alert-mail';
import type { EventType } from '@/server/notifications/schema';
import type { MailContent } from '@/server/platform/mail/compose';
import { toReportMail } from '@/server/summaries/report-mail';
import { toSummaryMail } from '@/server/summaries/summary-mail';
import { invitationMail } from '@/server/teams/invitations/send-invitation';

// One example of each kind of mail, for tests and for `npm run mails`.

const at = '2026-11-23T02:06:42.000Z';
const endedAt = '2026-11-23T02:20:44.000Z';
const teamName = 'Northwind';
const url = 'https://up.northwind.example/invite/1';
const channel = { id: '01KACV6T3Q0000000000000002', type: 'email' as const };

/** The reader of the examples: a member in Berlin. */
export const reader = {
  teamName,
  channelId: channel.id,
  channelName: '#ops-alerts',
  isPersonal: false,
  timeZone: 'Europe/Berlin',
};

const incident = {
  id: '01KACV6T3Q0000000000000000',
  type: 'downtime',
  status: 'open',
  severity: 'critical' as const,
  title: null as string | null,
  cause: 'Expected status 200-299, got 503 (2 of 3 regions: fra, iad)' as string | null,
  startedAt: at,
  resolvedAt: null as string | null,
};
const monitor = {
  id: '01KACV6T3Q0000000000000001',
  name: 'Checkout',
  type: 'http',
  status: 'down',
  regions: ['fra', 'iad', 'nrt'],
};

/** The mail of an event about Checkout, with these changes of its data. */
export function eventMail(
  type: EventType,
  changed: Partial<EventData> = {},
  about: Partial<typeof incident> = {},
): MailContent {
  const data: EventData = { incident: { ...incident, ...about }, monitor, ...changed };
  return alertMail(toMessage('delivery', { type, timestamp: at, data }, channel), reader);
}

const names = ['Cart', 'Search', 'Login', 'Payments', 'Invoices', 'Refunds', 'Stock', 'Images', 'Returns', 'Mail'];

/** The mail of a group of monitors that are down. */
export function groupMail(count: number): MailContent {
  const singles = Array.from({ length: count }, (_, index): Single => {
    const name = `${names[index % names.length]}${index < names.length ? '' : ` ${index}`}`;
    const cause = index % 3 === 0 ? 'Expected status 200-299, got 503' : `Connection refused by 10.4.1.${index}:443`;
    const data = {
      incident: { ...incident, id: `incident${index}`, cause },
      monitor: { ...monitor, id: `m${index}`, name },
    };
    const payload: EventPayload = { type: index === 1 ? 'incident.reminder' : 'incident.opened', timestamp: at, data };
    const id = `delivery${String(index).padStart(5, '0')}`;
    return { id, opening: 0, message: toMessage(id, payload, channel) };
  });
  const [group] = toGroupMessages(singles, { channel, textLimit: 100_000, most: 4 });
  if (!group) throw new Error('There is no group.');
  return alertMail(group.message, reader);
}

const maintenance = {
  id: '01KACV6T3Q0000000000000003',
  title: 'Database upgrade',
  startsAt: '2026-11-24T01:00:00.000Z',
  endsAt: '2026-11-24T03:00:00.000Z',
  monitorNames: ['Checkout', 'Orders'],
  monitorCount: 5,
};
const withoutIncident = { incident: null, monitor: null };
const failing = {
  channel: { id: 'c1', name: '#ops-alerts' },
  failingSince: at,
  error: 'Slack answered 404 no_service',
};
const byHand = { type: 'manual', title: 'Orders are late', cause: null };
const escalation = { policy: 'Platform primary', step: 1, steps: 3, round: 1, person: 'Mika Tanaka' as string | null };
const ended = { status: 'resolved', resolvedAt: endedAt };

const account = (payload: AccountMail) => accountMail(payload, () => 'token');
const uptime = { ratio: 0.9998, upSeconds: 604_700, downSeconds: 100, degradedSeconds: 0, unknownSeconds: 0 };
const week = { incidents: 2, outages: 1, acknowledgeSeconds: 120 };

const health = { teamName, name: '#ops-alerts', lastError: 'Slack answered 404 no_service', url } as const;
const since = { failedAt: new Date(at), timeZone: 'Europe/Berlin' };

/** Each kind of mail by name. */
export function exampleMails(): Record<string, MailContent> {
  return {
    down: eventMail('incident.opened'),
    degraded: eventMail('incident.opened', {}, {
      type: 'degraded',
      severity: 'warning',
      cause: 'p95 of 2.4 s over 1 s for 5 min',
    } as never),
    certificate: eventMail('monitor.certificate_expiring', {}, {
      type: 'certificate',
      severity: 'warning',
      cause: 'The certificate expires in 9 days',
    } as never),
    reminder: eventMail('incident.reminder'),
    'on call': eventMail('incident.escalated', { escalation }),
    escalation: eventMail('incident.escalated', { escalation: { ...escalation, step: 2, person: null } }),
    acknowledged: eventMail('incident.acknowledged', { actor: 'Jonas Weber' }, { status: 'acknowledged' }),
    recovered: eventMail('incident.resolved', { resolution: 'recovered' }, ended),
    'resolved by hand': eventMail('incident.resolved', { resolution: 'manual', actor: 'Jonas Weber' }, ended),
    reopened: eventMail('incident.reopened', { actor: 'Jonas Weber' }),
    'manual incident': eventMail('incident.opened', { monitor: null }, byHand),
    group: groupMail(30),
    maintenance: eventMail('maintenance.upcoming', { ...withoutIncident, maintenance }),
    'failing channel, to its fallback': eventMail('channel.failing', { ...withoutIncident, ...failing }),
    'recovered channel, to its fallback': eventMail('channel.recovered', { ...withoutIncident, ...failing }),
    'channel test': eventMail('channel.test', withoutIncident),
    'failing channel, to owners': channelHealthMail({ ...health, ...since, turn: 'failing', fallback: 'Ops email' }),
    'recovered channel, to owners': channelHealthMail({ ...health, ...since, turn: 'recovered', fallback: null }),
    'nobody was notified': unreachedMail({
      teamName,
      name: 'Checkout',
      policyName: 'Platform primary',
      startedAt: new Date(at),
      timeZone: 'Europe/Berlin',
      incidentUrl: url,
      policyUrl: url,
    }),
    'region without network': egressMail({ region: 'fra', kind: 'lost', at }),
    invitation: invitationMail({
      by: { name: 'Mika Tanaka', email: 'mika@northwind.example' },
      teamName,
      role: 'member',
      expiresAt: new Date('2026-11-30T08:00:00Z'),
      url,
    }),
    'confirmation of alerts': confirmationMail(teamName, 'alerts', url),
    'password reset': account({ kind: 'password_reset', id: '1', userId: 'u', sealedToken: '' }),
    'email change': account({ kind: 'email_change', id: '1', to: 'mika@northwind.example', sealedToken: '' }),
    'email changed': account({
      kind: 'email_changed',
      id: '1',
      to: 'old@northwind.example',
      email: 'mika@northwind.example',
    }),
    'password changed': account({ kind: 'password_changed', id: '1', userId: 'u' }),
    'weekly summary': toSummaryMail(
      {
        teamName,
        now: week,
        before: { ...week, acknowledgeSeconds: null },
        monitors: names.map((name) => ({
          id: name,
          name,
          now: uptime,
          before: { ...uptime, ratio: 1, downSeconds: 0 },
        })),
        others: 0,
      } as never,
      { week: '2026-11-23', timezone: 'Europe/Berlin', unsubscribeUrl: url },
    ),
    'monthly report': toReportMail(
      {
        teamName,
        report: {
          objective: 99.9,
          isComplete: true,
          overall: { ratio: 0.99957, downSeconds: 2_220, leftSeconds: 2_974 },
          monitors: names.map((name, index) => {
            return {
              id: name,
              name,
              ratio: index ? 1 : 0.9982,
              downSeconds: index ? 0 : 4_712,
              leftSeconds: index ? 2_592 : -2_120,
            };
          }),
        },
        summary: { incidents: 4, outages: 3, acknowledgeSeconds: 120 },
        incidents: new Map([[names[0], 3]]),
      } as never,
      { month: '2026-12-01', unsubscribeUrl: url },
    ),
  };
}
