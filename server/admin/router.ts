import { z } from 'zod';
import { IdPage } from '@/server/lists/schema';
import { adminProcedure, operations, router, teamProcedure } from '@/server/trpc/procedures';
import { createPasswordReset } from './create-password-reset';
import { deleteTeam } from './delete-team';
import { forceDeleteUser } from './force-delete-user';
import { listRunningWorkers } from './list-running-workers';
import { listUsers } from './list-users';
import { previewForceDelete } from './preview-force-delete';
import {
  DeleteTeamInput,
  ForceDeleteInput,
  ListedUsers,
  ListedWorkers,
  ListUsersInput,
  Message,
  PasswordResetLink,
  RemovalPreview,
  UserId,
} from './schema';
import { listUndeliveredMail, UndeliveredMail } from './undelivered-mail';

const rest = operations('Administration');
const forceDelete = '/admin/users/{userId}/force-delete';

export const mailRouter = router({
  listUndelivered: adminProcedure
    .meta(rest('GET', '/admin/mail', 'List undelivered mail'))
    .input(IdPage)
    .output(z.object({ mails: z.array(UndeliveredMail), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listUndeliveredMail(ctx.db, input)),
});

export const workersRouter = router({
  list: adminProcedure
    .meta(rest('GET', '/admin/workers', 'List running workers'))
    .input(IdPage)
    .output(ListedWorkers)
    .query(({ ctx, input }) => listRunningWorkers({ ctx, input })),
});

export const usersRouter = router({
  list: adminProcedure
    .meta(rest('GET', '/admin/users', 'List or search accounts'))
    .input(ListUsersInput)
    .output(ListedUsers)
    .query(({ ctx, input }) => listUsers({ ctx, input })),
  previewForceDelete: adminProcedure
    .meta(rest('GET', forceDelete, 'Preview a force delete', { errors: ['NOT_FOUND'] }))
    .input(UserId)
    .output(z.object({ preview: RemovalPreview }))
    .query(async ({ ctx, input }) => ({ preview: await previewForceDelete({ ctx, input }) })),
  forceDelete: adminProcedure
    .meta(rest('POST', forceDelete, 'Force delete an account', { errors: ['NOT_FOUND', 'LAST_ADMINISTRATOR'] }))
    .input(ForceDeleteInput)
    .output(Message)
    .mutation(({ ctx, input }) => forceDeleteUser({ ctx, input })),
  createPasswordReset: adminProcedure
    .meta(
      rest('POST', '/admin/users/{userId}/password-reset', 'Create a password reset link', {
        errors: ['NOT_FOUND'],
        created: true,
      }),
    )
    .input(UserId)
    .output(z.object({ link: PasswordResetLink }))
    .mutation(async ({ ctx, input }) => ({ link: await createPasswordReset({ ctx, input }) })),
});

/** Deletes the caller's team, with the steps of a force delete. */
export const teamRemovalRouter = router({
  delete: teamProcedure({ role: 'owner', scope: 'write' })
    .meta(rest('POST', '/dashboard/team/delete', 'Delete the team', { tag: 'Team', errors: ['NOT_FOUND'] }))
    .input(DeleteTeamInput)
    .output(Message)
    .mutation(({ ctx, input }) => deleteTeam({ ctx, input })),
});
