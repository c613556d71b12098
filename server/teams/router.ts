import { z } from 'zod';
import { IdPage } from '@/server/lists/schema';
import { optionalProcedure, publicProcedure, router, teamProcedure, userProcedure } from '@/server/trpc/procedures';
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
  Member,
  NewInvitation,
  PendingInvitation,
  Team,
  TeamInput,
  UpdateMemberInput,
} from './schema';
import { updateMember } from './update-member';

const tags = ['Team'];
const ById = z.strictObject({ id: z.string() });
const Token = z.strictObject({ token: z.string() });
const Done = z.object({ ok: z.literal(true) });
const cursor = z.string().nullable();

const membersRouter = router({
  list: teamProcedure({ role: 'viewer', scope: 'read' })
    .meta({ openapi: { method: 'GET', path: '/dashboard/team/members', tags, summary: 'List members' } })
    .input(IdPage)
    .output(z.object({ members: z.array(Member), nextCursor: cursor }))
    .query(({ ctx, input }) => listMembers({ ctx, input })),
  update: teamProcedure({ role: 'owner', scope: 'write' })
    .meta({
      errors: ['OWN_ROLE_CHANGE', 'MEMBER_NOT_FOUND', 'LAST_OWNER'],
      openapi: { method: 'PATCH', path: '/dashboard/team/members/{userId}', tags, summary: "Change a member's role" },
    })
    .input(UpdateMemberInput)
    .output(z.object({ data: Member }))
    .mutation(({ ctx, input }) => updateMember({ ctx, input })),
  /** Viewers included, because every member can leave. The verb checks whether the caller may remove others. */
  remove: teamProcedure({ role: 'viewer', scope: 'write' })
    .meta({
      errors: ['NOT_FOUND', 'LAST_OWNER'],
      openapi: {
        method: 'DELETE',
        path: '/dashboard/team/members/{userId}',
        tags,
        summary: 'Remove a member or leave',
      },
    })
    .input(z.strictObject({ userId: z.string() }))
    .output(Done)
    .mutation(({ ctx, input }) => removeMember({ ctx, input })),
});

const invitationsRouter = router({
  list: teamProcedure({ role: 'admin', scope: 'read' })
    .meta({ openapi: { method: 'GET', path: '/dashboard/team/invitations', tags, summary: 'List invitations' } })
    .input(IdPage)
    .output(z.object({ invitations: z.array(PendingInvitation), nextCursor: cursor }))
    .query(({ ctx, input }) => listInvitations({ ctx, input })),
  create: teamProcedure({ role: 'admin', scope: 'write' })
    .meta({
      errors: ['ALREADY_MEMBER', 'PLAN_LIMIT_REACHED'],
      openapi: { method: 'POST', path: '/dashboard/team/invitations', tags, summary: 'Create an invitation' },
      created: true,
    })
    .input(InviteInput)
    .output(z.object({ invitation: NewInvitation }))
    .mutation(({ ctx, input }) => createInvitation({ ctx, input })),
  resend: teamProcedure({ role: 'admin', scope: 'write' })
    .meta({
      errors: ['PLAN_LIMIT_REACHED'],
      openapi: {
        method: 'POST',
        path: '/dashboard/team/invitations/{id}/resend',
        tags,
        summary: 'Resend an invitation',
      },
    })
    .input(ById)
    .output(z.object({ invitation: NewInvitation }))
    .mutation(({ ctx, input }) => resendInvitation({ ctx, input })),
  revoke: teamProcedure({ role: 'admin', scope: 'write' })
    .meta({
      openapi: { method: 'DELETE', path: '/dashboard/team/invitations/{id}', tags, summary: 'Revoke an invitation' },
    })
    .input(ById)
    .output(Done)
    .mutation(({ ctx, input }) => revokeInvitation({ ctx, input })),
  get: publicProcedure
    .meta({
      errors: ['NOT_FOUND'],
      openapi: { method: 'GET', path: '/auth/invite/{token}', tags: ['Auth'], summary: 'Get an invitation' },
    })
    .input(Token)
    .output(z.object({ invitation: InvitationView }))
    .query(({ ctx, input }) => getInvitation({ ctx, input })),
  /** 201 for a new account, 200 for an account that joins. */
  accept: optionalProcedure
    .meta({
      errors: ['INVITATION_INVALID', 'INVITATION_USED', 'ALREADY_MEMBER', 'MEMBER_LIMIT_REACHED', 'ACCOUNT_EXISTS'],
      openapi: { method: 'POST', path: '/auth/invite/{token}/accept', tags: ['Auth'], summary: 'Accept an invitation' },
      limit: 'auth',
      created: 'sometimes',
    })
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
    .meta({
      errors: ['PLAN_LIMIT_REACHED'],
      openapi: { method: 'POST', path: '/dashboard/teams', tags, summary: 'Create a team' },
      created: true,
    })
    .input(TeamInput)
    .output(z.object({ team: Team }))
    .mutation(async ({ ctx, input }) => ({ team: await createOwnTeam({ ctx, input }) })),
  rename: teamProcedure({ role: 'admin', scope: 'write' })
    .meta({ openapi: { method: 'PATCH', path: '/dashboard/team', tags, summary: 'Rename the team' } })
    .input(TeamInput)
    .output(z.object({ team: Team }))
    .mutation(async ({ ctx, input }) => ({ team: await renameTeam({ ctx, input }) })),
});
