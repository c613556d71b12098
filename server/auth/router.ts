import { z } from 'zod';
import { publicProcedure, router, userProcedure } from '@/server/api/procedures';
import { switchTeam } from '@/server/teams/switch-team';
import { changePassword } from './change-password';
import { getMe } from './get-me';
import { logIn } from './log-in';
import { logOut } from './log-out';
import { refresh } from './refresh';
import {
  ChangePasswordInput,
  LogInInput,
  Me,
  RefreshInput,
  SessionChanged,
  SignedIn,
  SignUpInput,
  Tokens,
} from './schema';
import { signUp } from './sign-up';

const tags = ['Auth'];

export const authRouter = router({
  signUp: publicProcedure
    .meta({
      errors: ['ACCOUNT_EXISTS'],
      openapi: { method: 'POST', path: '/auth/signup', tags, summary: 'Create an account and its team' },
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
      openapi: { method: 'POST', path: '/auth/refresh', tags, summary: 'Get new tokens' },
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
    .meta({ openapi: { method: 'GET', path: '/dashboard/me', tags, summary: 'Who is signed in' } })
    .output(Me)
    .query(({ ctx }) => getMe({ ctx })),
  switchTeam: userProcedure
    .meta({
      errors: ['NOT_FOUND'],
      openapi: { method: 'POST', path: '/dashboard/me/team', tags, summary: 'Go on in another team' },
    })
    .input(z.object({ teamId: z.string() }))
    .output(SessionChanged)
    .mutation(({ ctx, input }) => switchTeam({ ctx, input })),
  changePassword: userProcedure
    .meta({ openapi: { method: 'POST', path: '/dashboard/me/password', tags, summary: 'Change the password' } })
    .input(ChangePasswordInput)
    .output(SessionChanged)
    .mutation(({ ctx, input }) => changePassword({ ctx, input })),
});
