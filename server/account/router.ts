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
import { NoInput, operations, publicProcedure, router, userProcedure } from '@/server/trpc/procedures';
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

const rest = operations('Auth');
const Done = z.object({ ok: z.literal(true) });

export const authRouter = router({
  signUp: publicProcedure
    .meta(
      rest('POST', '/auth/signup', 'Create an account and a team', {
        errors: ['ACCOUNT_EXISTS'],
        created: true,
        limit: 'auth',
      }),
    )
    .input(SignUpInput)
    .output(SignedIn)
    .mutation(({ ctx, input }) => signUp({ ctx, input })),
  logIn: publicProcedure
    .meta(rest('POST', '/auth/login', 'Sign in', { errors: ['UNAUTHENTICATED'], limit: 'auth' }))
    .input(LogInInput)
    .output(SignedIn)
    .mutation(({ ctx, input }) => logIn({ ctx, input })),
  refresh: publicProcedure
    .meta(rest('POST', '/auth/refresh', 'Refresh tokens', { errors: ['UNAUTHENTICATED'], limit: 'auth' }))
    .input(RefreshInput)
    .output(Tokens)
    .mutation(({ ctx, input }) => refresh({ ctx, input })),
  logOut: publicProcedure
    .meta(rest('POST', '/auth/logout', 'Sign out'))
    .input(RefreshInput)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => logOut({ ctx, input })),
  me: userProcedure
    .meta(rest('GET', '/dashboard/me', 'Get the current user'))
    .input(NoInput)
    .output(Me)
    .query(({ ctx }) => getMe({ ctx })),
  switchTeam: userProcedure
    .meta(rest('POST', '/dashboard/me/team', 'Switch to another team', { errors: ['NOT_FOUND'] }))
    .input(z.strictObject({ teamId: z.string() }))
    .output(SessionChanged)
    .mutation(({ ctx, input }) => switchTeam({ ctx, input })),
  changePassword: userProcedure
    .meta(rest('POST', '/dashboard/me/password', 'Change the password'))
    .input(ChangePasswordInput)
    .output(SessionChanged)
    .mutation(({ ctx, input }) => changePassword({ ctx, input })),
  requestPasswordReset: publicProcedure
    .meta(rest('POST', '/auth/password-reset', 'Request a password reset', { limit: 'auth' }))
    .input(RequestPasswordResetInput)
    .output(Done)
    .mutation(({ ctx, input }) => requestPasswordReset({ ctx, input })),
  resetPassword: publicProcedure
    .meta(rest('POST', '/auth/password-reset/confirm', 'Reset the password', { limit: 'auth' }))
    .input(ResetPasswordInput)
    .output(z.object({ ok: z.literal(true), email: z.string() }))
    .mutation(({ ctx, input }) => resetPassword({ ctx, input })),
  updateProfile: userProcedure
    .meta(rest('PATCH', '/dashboard/me', 'Update your name and time zone'))
    .input(UpdateProfileInput)
    .output(Me)
    .mutation(({ ctx, input }) => updateProfile({ ctx, input })),
  requestEmailChange: userProcedure
    .meta(rest('POST', '/dashboard/me/email', 'Change your email address'))
    .input(RequestEmailChangeInput)
    .output(Done)
    .mutation(({ ctx, input }) => requestEmailChange({ ctx, input })),
  confirmEmailChange: publicProcedure
    .meta(
      rest('POST', '/auth/email/confirm', 'Confirm a new email address', { errors: ['ACCOUNT_EXISTS'], limit: 'auth' }),
    )
    .input(ConfirmEmailChangeInput)
    .output(z.object({ ok: z.literal(true), email: z.string() }))
    .mutation(({ ctx, input }) => confirmEmailChange({ ctx, input })),
  sessions: router({
    list: userProcedure
      .meta(rest('GET', '/dashboard/me/sessions', 'List your sessions'))
      .input(NoInput)
      .output(SessionPage)
      .query(({ ctx }) => listSessions({ ctx })),
    end: userProcedure
      .meta(rest('DELETE', '/dashboard/me/sessions/{id}', 'Sign out a session', { errors: ['NOT_FOUND'] }))
      .input(z.strictObject({ id: z.string() }))
      .output(Done)
      .mutation(({ ctx, input }) => endSession({ ctx, input })),
    endOthers: userProcedure
      .meta(rest('POST', '/dashboard/me/sessions/end-others', 'Sign out all other sessions'))
      .input(NoInput)
      .output(z.object({ ended: z.int() }))
      .mutation(({ ctx }) => endOtherSessions({ ctx })),
  }),
});
