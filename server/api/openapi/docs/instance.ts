import type { OperationDoc } from '../types';
import { monitorId, page, teamId, user } from './examples';

const at = '2026-11-20T03:07:12.000Z';
const params = { userId: user.id };
const account = { ...user, isAdmin: false, createdAt: at };
const entry = {
  id: '01KAP1C2D4E6F8G0H2J4K6M8N0',
  at,
  teamId,
  actor: { kind: 'user', id: user.id, email: user.email, credential: 'session' },
  address: '203.0.113.7',
  requestId: '01KAP1C2B3D5E7F9G1H3J5K7M9',
  action: 'monitor.update',
  target: { type: 'monitor', id: monitorId, name: 'Shop' },
  reason: null,
  before: { intervalSeconds: 60 },
  after: { intervalSeconds: 30 },
};
const pro = { monitors: 200, minIntervalSeconds: 30, members: 15, statusPages: 10, apiKeys: 20, historyDays: 180 };
const lost = {
  id: teamId,
  name: 'Shop team',
  members: 1,
  monitors: 12,
  incidents: 30,
  channels: 2,
  statusPages: 1,
  maintenanceWindows: 0,
  apiKeys: 1,
  invitations: 0,
  billing: true,
};

export const instanceDocs: Record<string, OperationDoc> = {
  'audit.list': {
    id: 'listAuditEntries',
    description:
      'Returns audit log entries, newest first, each with actor, credential and IP address. Secrets are masked or omitted.',
    answer: { entries: [entry], ...page },
  },
  'audit.listAll': {
    id: 'listInstanceAuditEntries',
    description: 'Returns audit log entries of all teams and of the instance, newest first.',
    answer: { entries: [entry], ...page },
  },
  'mail.listKept': {
    id: 'listKeptMail',
    description: 'Returns emails that were not sent because no SMTP server is configured, newest first.',
    answer: {
      mails: [
        {
          id: '01KAP2D3E5F7G9H1J3K5M7N9P1',
          to: 'kim@example.com',
          subject: 'Shop is down',
          text: 'Shop is down. Started at 2026-11-20 03:07:12 UTC. Connection refused.',
          createdAt: at,
        },
      ],
      ...page,
    },
  },
  'workers.list': {
    id: 'listWorkers',
    description:
      "Returns running workers, oldest first. Figures cover the last five minutes or the time since the start: checks per minute, and the 99th percentile of the delay between a check's scheduled and actual start.",
    answer: {
      workers: [
        {
          id: '01KAP2Q3R5S7T9V1W3X5Y7Z9A1',
          region: 'default',
          startedAt: at,
          seenAt: '2026-11-20T09:41:08.000Z',
          checksPerMinute: 1666.7,
          latenessP99Ms: 1,
          version: '0.1.0+3f2a91c7',
        },
      ],
      ...page,
    },
  },
  'users.list': {
    id: 'listUsers',
    description: 'Returns accounts. `query` matches part of the email address or name, or a complete ID.',
    answer: { users: [{ ...account, teams: [{ id: teamId, name: 'Shop team', role: 'owner' }] }], ...page },
  },
  'users.previewForceDelete': {
    id: 'previewForceDelete',
    description: 'Returns what a force delete would remove, without deleting anything.',
    params,
    answer: { preview: { user: account, teams: [lost], memberships: [], refusal: null } },
  },
  'users.forceDelete': {
    id: 'forceDeleteUser',
    description:
      'Deletes an account and every team of which it is the only owner, with all data, and cancels their subscriptions. This cannot be undone. The reason is recorded in the audit log.',
    params,
    body: { reason: 'Requested by the user' },
    answer: { message: 'The account and its data are deleted.' },
  },
  'users.createPasswordReset': {
    id: 'createPasswordReset',
    description:
      'Returns a link with which the user can set a new password once, within one day. Earlier links stop working. The link is returned only in this response.',
    params,
    answer: {
      link: { url: 'https://upwatch.example.com/reset-password/kV3nT8yQ1wZ5sX7dL2mB9pJ4rF6hC0gA', expiresAt: at },
    },
  },
  'billing.get': {
    id: 'getBilling',
    description: 'Returns the plan, its limits and current usage. A limit of null means unlimited.',
    answer: {
      plan: 'pro',
      usage: { monitors: 12, members: 3, statusPages: 1, apiKeys: 2 },
      limits: pro,
      offers: [{ plan: 'pro', limits: pro }],
      subscriptionStatus: 'active',
      subscribed: true,
      hasPortal: true,
    },
  },
  'billing.checkout': {
    id: 'startCheckout',
    description: 'Returns the URL of a checkout session to redirect the browser to.',
    body: { plan: 'pro' },
    answer: { url: 'https://checkout.stripe.com/c/pay/cs_test_a1b2c3' },
  },
  'billing.portal': {
    id: 'openBillingPortal',
    description: 'Returns the URL of the billing portal, where the subscription can be changed or cancelled.',
    answer: { url: 'https://billing.stripe.com/p/session/bps_1a2b3c' },
  },
};
