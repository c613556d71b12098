import { at, page, teamId, user } from '@/server/trpc/examples';
import type { OperationDoc } from '@/server/trpc/operation-doc';

const params = { userId: user.id };
const account = { ...user, isAdmin: false, createdAt: at };
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

export const adminDocs: Record<string, OperationDoc> = {
  'teamRemoval.delete': {
    id: 'deleteTeam',
    description:
      'Deletes the current team with all its data and cancels its subscription. Nothing of it can be read after the response; its history is removed from the database within minutes. `teamId` must be its ID and `name` its name, as a confirmation. This cannot be undone. User accounts are kept.',
    body: { teamId, name: 'Shop team' },
    answer: { message: 'Shop team deleted.' },
  },
  'mail.listUndelivered': {
    id: 'listUndeliveredMail',
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
      'Deletes an account and every team of which it is the only owner, with all data, and cancels their subscriptions. Waits up to 2 min until their history is removed; `message` says what is still being removed. This cannot be undone. The reason is recorded in the audit log.',
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
};
