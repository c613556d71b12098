import { z } from 'zod';
import { IdPage } from '@/server/lists/schema';
import { adminProcedure, router, teamProcedure } from '@/server/trpc/procedures';
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

const tags = ['Administration'];
const forceDelete = '/admin/users/{userId}/force-delete';

export const mailRouter = router({
  listUndelivered: adminProcedure
    .meta({ openapi: { method: 'GET', path: '/admin/mail', tags, summary: 'List undelivered mail' } })
    .input(IdPage)
    .output(z.object({ mails: z.array(UndeliveredMail), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listUndeliveredMail(ctx.db, input)),
});

export const workersRouter = router({
  list: adminProcedure
    .meta({ openapi: { method: 'GET', path: '/admin/workers', tags, summary: 'List running workers' } })
    .input(IdPage)
    .output(ListedWorkers)
    .query(({ ctx, input }) => listRunningWorkers({ ctx, input })),
});

export const usersRouter = router({
  list: adminProcedure
    .meta({ openapi: { method: 'GET', path: '/admin/users', tags, summary: 'List or search accounts' } })
    .input(ListUsersInput)
    .output(ListedUsers)
    .query(({ ctx, input }) => listUsers({ ctx, input })),
  previewForceDelete: adminProcedure
    .meta({
      errors: ['NOT_FOUND'],
      openapi: { method: 'GET', path: forceDelete, tags, summary: 'Preview a force delete' },
    })
    .input(UserId)
    .output(z.object({ preview: RemovalPreview }))
    .query(async ({ ctx, input }) => ({ preview: await previewForceDelete({ ctx, input }) })),
  forceDelete: adminProcedure
    .meta({
      errors: ['NOT_FOUND', 'LAST_ADMINISTRATOR'],
      openapi: { method: 'POST', path: forceDelete, tags, summary: 'Force delete an account' },
    })
    .input(ForceDeleteInput)
    .output(Message)
    .mutation(({ ctx, input }) => forceDeleteUser({ ctx, input })),
  createPasswordReset: adminProcedure
    .meta({
      errors: ['NOT_FOUND'],
      openapi: {
        method: 'POST',
        path: '/admin/users/{userId}/password-reset',
        tags,
        summary: 'Create a password reset link',
      },
      created: true,
    })
    .input(UserId)
    .output(z.object({ link: PasswordResetLink }))
    .mutation(async ({ ctx, input }) => ({ link: await createPasswordReset({ ctx, input }) })),
});

/** Deletes the caller's team, with the steps of a force delete. */
export const teamRemovalRouter = router({
  delete: teamProcedure({ role: 'owner', scope: 'write' })
    .meta({
      openapi: { method: 'POST', path: '/dashboard/team/delete', tags: ['Team'], summary: 'Delete the team' },
      errors: ['NOT_FOUND'],
    })
    .input(DeleteTeamInput)
    .output(Message)
    .mutation(({ ctx, input }) => deleteTeam({ ctx, input })),
});
