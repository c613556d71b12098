import { z } from 'zod';
import {
  ChangePasswordInput,
  ConfirmEmailChangeInput,
  LogInInput,
  Me,
  RefreshInput,
  RequestEmailChangeInput,
  RequestPasswordResetInput,
  ResetPasswordInput,
  SessionChanged,
  SessionPage,
  SignedIn,
  SignUpInput,
  Tokens,
  UpdateProfileInput,
} from '@/server/auth/schema';
import { switchTeam } from '@/server/teams/switch-team';
import { NoInput, publicProcedure, router, userProcedure } from '@/server/trpc/procedures';
import { changePassword } from './change-password';
import { confirmEmailChange } from './confirm-email-change';
import { endOtherSessions, endSession } from './end-sessions';
import { getMe } from './get-me';
import { listSessions } from './list-sessions';
import { logIn } from './log-in';
import { logOut } from './log-out';
import { refresh } from './refresh';
import { requestEmailChange } from './request-email-change';
import { requestPasswordReset } from './request-password-reset';
import { resetPassword } from './reset-password';
import { signUp } from './sign-up';
import { updateProfile } from './update-profile';

const tags = ['Auth'];
const Done = z.object({ ok: z.literal(true) });

export const authRouter = router({
  signUp: publicProcedure
    .meta({
      errors: ['ACCOUNT_EXISTS'],
      openapi: { method: 'POST', path: '/auth/signup', tags, summary: 'Create an account and a team' },
      created: true,
      limit: 'auth',
    })
    .input(SignUpInput)
    .output(SignedIn)
    .mutation(({ ctx, input }) => signUp({ ctx, input })),
  logIn: publicProcedure
    .meta({
      errors: ['UNAUTHENTICATED'],
      openapi: { method: 'POST', path: '/auth/login', tags, summary: 'Sign in' },
      limit: 'auth',
    })
    .input(LogInInput)
    .output(SignedIn)
    .mutation(({ ctx, input }) => logIn({ ctx, input })),
  refresh: publicProcedure
    .meta({
      errors: ['UNAUTHENTICATED'],
      openapi: { method: 'POST', path: '/auth/refresh', tags, summary: 'Refresh tokens' },
      limit: 'auth',
    })
    .input(RefreshInput)
    .output(Tokens)
    .mutation(({ ctx, input }) => refresh({ ctx, input })),
  logOut: publicProcedure
    .meta({ openapi: { method: 'POST', path: '/auth/logout', tags, summary: 'Sign out' } })
    .input(RefreshInput)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => logOut({ ctx, input })),
  me: userProcedure
    .meta({ openapi: { method: 'GET', path: '/dashboard/me', tags, summary: 'Get the current user' } })
    .input(NoInput)
    .output(Me)
    .query(({ ctx }) => getMe({ ctx })),
  switchTeam: userProcedure
    .meta({
      errors: ['NOT_FOUND'],
      openapi: { method: 'POST', path: '/dashboard/me/team', tags, summary: 'Switch to another team' },
    })
    .input(z.strictObject({ teamId: z.string() }))
    .output(SessionChanged)
    .mutation(({ ctx, input }) => switchTeam({ ctx, input })),
  changePassword: userProcedure
    .meta({ openapi: { method: 'POST', path: '/dashboard/me/password', tags, summary: 'Change the password' } })
    .input(ChangePasswordInput)
    .output(SessionChanged)
    .mutation(({ ctx, input }) => changePassword({ ctx, input })),
  requestPasswordReset: publicProcedure
    .meta({
      openapi: { method: 'POST', path: '/auth/password-reset', tags, summary: 'Request a password reset' },
      limit: 'auth',
    })
    .input(RequestPasswordResetInput)
    .output(Done)
    .mutation(({ ctx, input }) => requestPasswordReset({ ctx, input })),
  resetPassword: publicProcedure
    .meta({
      openapi: { method: 'POST', path: '/auth/password-reset/confirm', tags, summary: 'Reset the password' },
      limit: 'auth',
    })
    .input(ResetPasswordInput)
    .output(z.object({ ok: z.literal(true), email: z.string() }))
    .mutation(({ ctx, input }) => resetPassword({ ctx, input })),
  updateProfile: userProcedure
    .meta({ openapi: { method: 'PATCH', path: '/dashboard/me', tags, summary: 'Update your name and time zone' } })
    .input(UpdateProfileInput)
    .output(Me)
    .mutation(({ ctx, input }) => updateProfile({ ctx, input })),
  requestEmailChange: userProcedure
    .meta({ openapi: { method: 'POST', path: '/dashboard/me/email', tags, summary: 'Change your email address' } })
    .input(RequestEmailChangeInput)
    .output(Done)
    .mutation(({ ctx, input }) => requestEmailChange({ ctx, input })),
  confirmEmailChange: publicProcedure
    .meta({
      errors: ['ACCOUNT_EXISTS'],
      openapi: { method: 'POST', path: '/auth/email/confirm', tags, summary: 'Confirm a new email address' },
      limit: 'auth',
    })
    .input(ConfirmEmailChangeInput)
    .output(z.object({ ok: z.literal(true), email: z.string() }))
    .mutation(({ ctx, input }) => confirmEmailChange({ ctx, input })),
  sessions: router({
    list: userProcedure
      .meta({ openapi: { method: 'GET', path: '/dashboard/me/sessions', tags, summary: 'List your sessions' } })
      .input(NoInput)
      .output(SessionPage)
      .query(({ ctx }) => listSessions({ ctx })),
    end: userProcedure
      .meta({
        errors: ['NOT_FOUND'],
        openapi: { method: 'DELETE', path: '/dashboard/me/sessions/{id}', tags, summary: 'Sign out a session' },
      })
      .input(z.strictObject({ id: z.string() }))
      .output(Done)
      .mutation(({ ctx, input }) => endSession({ ctx, input })),
    endOthers: userProcedure
      .meta({
        openapi: {
          method: 'POST',
          path: '/dashboard/me/sessions/end-others',
          tags,
          summary: 'Sign out all other sessions',
        },
      })
      .input(NoInput)
      .output(z.object({ ended: z.int() }))
      .mutation(({ ctx }) => endOtherSessions({ ctx })),
  }),
});
