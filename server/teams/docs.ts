import { at, page, teamId, tokens, user } from '@/server/trpc/examples';
import type { OperationDoc } from '@/server/trpc/operation-doc';

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
      "Creates a team on the instance's default plan, with you as its owner. Your current team does not change; use POST /dashboard/me/team to switch.",
    body: { name: 'Shop team' },
    answer: { team: { id: teamId, name: 'Shop team', role: 'owner' } },
  },
  'teams.rename': {
    id: 'renameTeam',
    alsoId: 'updateTeam',
    description: 'Renames the team. The name is shown to members and in invitations.',
    body: { name: 'Shop team' },
    answer: { team: { id: teamId, name: 'Shop team', role: 'owner' } },
  },
  'teams.members.list': {
    id: 'listMembers',
    alsoId: 'listTeamMembers',
    description: 'Returns members, oldest account first.',
    answer: { members: [member], ...page },
  },
  'teams.members.update': {
    id: 'updateMemberRole',
    alsoId: 'updateTeamMember',
    description:
      'Changes the role of a member. You cannot change your own role, and a team needs at least one owner. API keys can neither make owners nor change the role of one.',
    params,
    body: { role: 'admin' },
    answer: { data: { ...member, role: 'admin' } },
  },
  'teams.members.remove': {
    id: 'removeMember',
    alsoId: 'removeTeamMember',
    description:
      'Removes a member. Members can remove themselves; admins and owners can remove members with a lower role. A team needs at least one owner. An API key cannot remove its creator.',
    params,
    answer: { ok: true },
  },
  'teams.invitations.list': {
    id: 'listInvitations',
    alsoId: 'listTeamInvitations',
    description: 'Returns invitations that were neither used nor revoked.',
    answer: {
      invitations: [{ ...invitation, status: 'open', createdAt: at, expiresAt, createdBy: user }],
      ...page,
    },
  },
  'teams.invitations.create': {
    id: 'createInvitation',
    alsoId: 'createTeamInvitation',
    description:
      "Creates an invitation and sends its link by email. The token is returned only in this response. Pending invitations count towards the plan's member limit. API keys cannot invite owners.",
    body: invited,
    answer: { invitation: { ...invitation, token, url: `https://upwatch.example.com/invite/${token}`, expiresAt } },
  },
  'teams.invitations.resend': {
    id: 'resendInvitation',
    alsoId: 'resendTeamInvitation',
    description:
      'Replaces an invitation with a new one that has a new ID and link, is valid for 7 days, and is sent by email. The old link stops working. Expired invitations can be resent too.',
    answer: { invitation: { ...invitation, token, url: `https://upwatch.example.com/invite/${token}`, expiresAt } },
  },
  'teams.invitations.revoke': {
    id: 'revokeInvitation',
    alsoId: 'revokeTeamInvitation',
    description: 'Revokes an invitation. Its link stops working.',
    answer: { ok: true },
  },
  'teams.invitations.get': {
    id: 'getInvitation',
    description: 'Returns the public details of an invitation link.',
    params: { token },
    answer: { invitation: { teamName: 'Shop team', ...invited, status: 'open', expiresAt } },
  },
  'teams.invitations.accept': {
    id: 'acceptInvitation',
    description:
      'Accepts an invitation. With a credential, the existing account joins and switches to the team; no body is needed. Without a credential, an account is created from the body. The email address may differ from the invited one, because the token grants the right to join. Of concurrent requests, one succeeds.',
    params: { token },
    body: { email: invited.email, password: 'correct horse battery', name: 'Kim' },
    answer: { user: { ...user, email: invited.email, name: 'Kim' }, teamId, role: 'member', ...tokens },
  },
};
