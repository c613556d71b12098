import type { OperationDoc } from '../types';
import { page, teamId, tokens, user } from './examples';

const at = '2026-11-20T03:07:12.000Z';
const expiresAt = '2026-11-27T03:07:12.000Z';
const token = 'kV3nT8yQ1wZ5sX7dL2mB9pJ4rF6hC0gA';
const params = { userId: user.id };
const member = { ...user, role: 'member', createdAt: at };
const invited = { email: 'kim@example.com', role: 'member' };
const invitation = { id: '01KANZ9E6F8G0H2J4K6M8N0P2Q', ...invited };

export const teamDocs: Record<string, OperationDoc> = {
  'teams.create': {
    id: 'createTeam',
    description:
      "On the instance's default plan, with you as its owner. You stay in your present team; POST /dashboard/me/team switches.",
    body: { name: 'Shop team' },
    answer: { team: { id: teamId, name: 'Shop team', role: 'owner' } },
  },
  'teams.rename': {
    id: 'renameTeam',
    description: 'The name is in invitations and in the team menu of its members.',
    body: { name: 'Shop team' },
    answer: { team: { id: teamId, name: 'Shop team', role: 'owner' } },
  },
  'teamRemoval.delete': {
    id: 'deleteTeam',
    description:
      'Deletes your current team with everything in it and cancels its subscription. `teamId` is the ID of your current team, `name` its name, to confirm. This cannot be undone. User accounts stay.',
    body: { teamId, name: 'Shop team' },
    answer: { message: 'Shop team deleted.' },
  },
  'teams.members.list': { id: 'listMembers', description: '', answer: { members: [member], ...page } },
  'teams.members.update': {
    id: 'updateMemberRole',
    description: 'Nobody changes their own role, and a team keeps at least one owner. Open pages follow at once.',
    params,
    body: { role: 'admin' },
    answer: { data: { ...member, role: 'admin' } },
  },
  'teams.members.remove': {
    id: 'removeMember',
    description:
      'Anyone may leave; admins and owners remove those whose role is weaker. A team keeps at least one owner.',
    params,
    answer: { ok: true },
  },
  'teams.invitations.list': {
    id: 'listInvitations',
    description: 'Those that were neither used nor revoked.',
    answer: {
      invitations: [{ ...invitation, status: 'open', createdAt: at, expiresAt, createdBy: user }],
      ...page,
    },
  },
  'teams.invitations.create': {
    id: 'createInvitation',
    description:
      'Sends a link by mail. Its token is in this answer and in no other. Open invitations count as members of the plan.',
    body: invited,
    answer: { invitation: { ...invitation, token, url: `https://upwatch.example.com/invite/${token}`, expiresAt } },
  },
  'teams.invitations.resend': {
    id: 'resendInvitation',
    description:
      'Puts a new invitation with a new id and link in its place, good for 7 days, and sends it by mail. The old link stops working. One that has expired can be sent again too.',
    answer: { invitation: { ...invitation, token, url: `https://upwatch.example.com/invite/${token}`, expiresAt } },
  },
  'teams.invitations.revoke': { id: 'revokeInvitation', description: 'Its link stops working.', answer: { ok: true } },
  'teams.invitations.get': {
    id: 'getInvitation',
    description: 'What the holder of a link is told about it.',
    params: { token },
    answer: { invitation: { teamName: 'Shop team', ...invited, status: 'open', expiresAt } },
  },
  'teams.invitations.accept': {
    id: 'acceptInvitation',
    description:
      'With a credential the person joins and goes on in this team, and no body is needed. Without one an account is made of the body. The address need not be the invited one: the token is the right to join. Of racing acceptances one wins.',
    params: { token },
    body: { email: invited.email, password: 'correct horse battery', name: 'Kim' },
    answer: { user: { ...user, email: invited.email, name: 'Kim' }, teamId, role: 'member', ...tokens },
  },
};
