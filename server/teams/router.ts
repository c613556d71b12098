import { z } from 'zod';
import { IdPage } from '@/server/lists/schema';
import {
  operations,
  optionalProcedure,
  publicProcedure,
  router,
  teamProcedure,
  userProcedure,
} from '@/server/trpc/procedures';
import { createOwnTeam } from './create-own-team';
import { acceptInvitation } from './invitations/accept-invitation';
import { createInvitation } from './invitations/create-invitation';
import { getInvitation } from './invitations/get-invitation';
import { listInvitations } from './invitations/list-invitations';
import { resendInvitation } from './invitations/resend-invitation';
import { revokeInvitation } from './invitations/revoke-invitation';
import { listMembers } from './list-members';
import { removeMember } from './remove-member';
import { renameTeam } from './rename-team';
import {
  AcceptInvitationInput,
  InvitationView,
  InviteInput,
  Joined,
  ListMembersInput,
  Member,
  NewInvitation,
  PendingInvitation,
  Team,
  TeamInput,
  UpdateMemberInput,
} from './schema';
import { updateMember } from './update-member';

const rest = operations('Team');
const ById = z.strictObject({ id: z.string() });
const Token = z.strictObject({ token: z.string() });
const Done = z.object({ ok: z.literal(true) });
const cursor = z.string().nullable();

const membersRouter = router({
  list: teamProcedure({ role: 'viewer', scope: 'read' })
    .meta(rest('GET', '/dashboard/team/members', 'List members', { alsoAt: '/api/v1/members' }))
    .input(ListMembersInput)
    .output(z.object({ members: z.array(Member), nextCursor: cursor }))
    .query(({ ctx, input }) => listMembers({ ctx, input })),
  update: teamProcedure({ role: 'owner', scope: 'write' })
    .meta(
      rest('PATCH', '/dashboard/team/members/{userId}', "Change a member's role", {
        alsoAt: '/api/v1/members/{userId}',
        errors: ['OWN_ROLE_CHANGE', 'MEMBER_NOT_FOUND', 'LAST_OWNER'],
      }),
    )
    .input(UpdateMemberInput)
    .output(z.object({ data: Member }))
    .mutation(({ ctx, input }) => updateMember({ ctx, input })),
  /** Viewers included, because every member can leave. The verb checks whether the caller may remove others. */
  remove: teamProcedure({ role: 'viewer', scope: 'write' })
    .meta(
      rest('DELETE', '/dashboard/team/members/{userId}', 'Remove a member or leave', {
        alsoAt: '/api/v1/members/{userId}',
        errors: ['NOT_FOUND', 'LAST_OWNER'],
      }),
    )
    .input(z.strictObject({ userId: z.string() }))
    .output(Done)
    .mutation(({ ctx, input }) => removeMember({ ctx, input })),
});

const invitationsRouter = router({
  list: teamProcedure({ role: 'admin', scope: 'read' })
    .meta(rest('GET', '/dashboard/team/invitations', 'List invitations', { alsoAt: '/api/v1/invitations' }))
    .input(IdPage)
    .output(z.object({ invitations: z.array(PendingInvitation), nextCursor: cursor }))
    .query(({ ctx, input }) => listInvitations({ ctx, input })),
  create: teamProcedure({ role: 'admin', scope: 'write' })
    .meta(
      rest('POST', '/dashboard/team/invitations', 'Create an invitation', {
        alsoAt: '/api/v1/invitations',
        errors: ['ALREADY_MEMBER', 'PLAN_LIMIT_REACHED'],
        created: true,
      }),
    )
    .input(InviteInput)
    .output(z.object({ invitation: NewInvitation }))
    .mutation(({ ctx, input }) => createInvitation({ ctx, input })),
  resend: teamProcedure({ role: 'admin', scope: 'write' })
    .meta(
      rest('POST', '/dashboard/team/invitations/{id}/resend', 'Resend an invitation', {
        alsoAt: '/api/v1/invitations/{id}/resend',
        errors: ['PLAN_LIMIT_REACHED'],
      }),
    )
    .input(ById)
    .output(z.object({ invitation: NewInvitation }))
    .mutation(({ ctx, input }) => resendInvitation({ ctx, input })),
  revoke: teamProcedure({ role: 'admin', scope: 'write' })
    .meta(
      rest('DELETE', '/dashboard/team/invitations/{id}', 'Revoke an invitation', {
        alsoAt: '/api/v1/invitations/{id}',
      }),
    )
    .input(ById)
    .output(Done)
    .mutation(({ ctx, input }) => revokeInvitation({ ctx, input })),
  get: publicProcedure
    .meta(rest('GET', '/auth/invite/{token}', 'Get an invitation', { tag: 'Auth', errors: ['NOT_FOUND'] }))
    .input(Token)
    .output(z.object({ invitation: InvitationView }))
    .query(({ ctx, input }) => getInvitation({ ctx, input })),
  /** Answers 201 if it creates an account, 200 for an account that joins. */
  accept: optionalProcedure
    .meta(
      rest('POST', '/auth/invite/{token}/accept', 'Accept an invitation', {
        tag: 'Auth',
        errors: ['INVITATION_INVALID', 'INVITATION_USED', 'ALREADY_MEMBER', 'MEMBER_LIMIT_REACHED', 'ACCOUNT_EXISTS'],
        limit: 'auth',
        created: 'sometimes',
      }),
    )
    .input(AcceptInvitationInput)
    .output(Joined)
    .mutation(({ ctx, input }) => {
      ctx.answer.created = ctx.actor.kind === 'anonymous';
      return acceptInvitation({ ctx, input });
    }),
});

export const teamsRouter = router({
  members: membersRouter,
  invitations: invitationsRouter,
  create: userProcedure
    .meta(rest('POST', '/dashboard/teams', 'Create a team', { errors: ['PLAN_LIMIT_REACHED'], created: true }))
    .input(TeamInput)
    .output(z.object({ team: Team }))
    .mutation(async ({ ctx, input }) => ({ team: await createOwnTeam({ ctx, input }) })),
  rename: teamProcedure({ role: 'admin', scope: 'write' })
    .meta(rest('PATCH', '/dashboard/team', 'Rename the team', { alsoAt: '/api/v1/team' }))
    .input(TeamInput)
    .output(z.object({ team: Team }))
    .mutation(async ({ ctx, input }) => ({ team: await renameTeam({ ctx, input }) })),
});
