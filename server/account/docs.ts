import { teamId, tokens, user } from '@/server/trpc/examples';
import type { OperationDoc } from '@/server/trpc/operation-doc';

const password = 'correct horse battery';
const identity = { user, teamId, role: 'owner' };
const signedIn = { ...identity, ...tokens };
const { refreshToken } = tokens;
const token = '3q2-7wEjRWeJq83vASNFZ4mrze8BI0VniavN7w';
const me = {
  ...identity,
  user: { ...user, isAdmin: true, timeZone: 'Europe/Berlin' },
  teams: [{ id: teamId, name: 'Shop team', role: 'owner' }],
};

export const authDocs: Record<string, OperationDoc> = {
  'auth.signUp': {
    id: 'signUp',
    description: 'Creates an account and a team. The first account of an instance becomes its administrator.',
    body: { email: user.email, password, name: user.name, teamName: 'Shop team' },
    answer: signedIn,
  },
  'auth.logIn': {
    id: 'logIn',
    description:
      'Signs in with email and password. The access token is valid for 15 minutes. Each account allows ten attempts in 15 minutes. The response does not reveal whether an account exists.',
    body: { email: user.email, password },
    answer: signedIn,
  },
  'auth.refresh': {
    id: 'refreshTokens',
    description:
      'Exchanges a refresh token for new tokens. A refresh token can be used once; reusing it ends the session.',
    body: { refreshToken },
    answer: tokens,
  },
  'auth.logOut': {
    id: 'logOut',
    description: 'Ends the session of the refresh token.',
    body: { refreshToken },
    answer: { ok: true },
  },
  'auth.me': {
    id: 'getMe',
    description: "Returns the user, the current team and role, and all of the user's teams.",
    answer: me,
  },
  'auth.switchTeam': {
    id: 'switchTeam',
    description: 'Returns new tokens for the other team. A dashboard session keeps its cookie.',
    body: { teamId },
    answer: signedIn,
  },
  'auth.changePassword': {
    id: 'changePassword',
    description: 'Changes the password and ends all other sessions of the account.',
    body: { currentPassword: password, newPassword: 'a longer horse battery' },
    answer: signedIn,
  },
  'auth.requestPasswordReset': {
    id: 'requestPasswordReset',
    description:
      'Sends a link by email that can be used once within one hour. The response is the same if no account has this address.',
    body: { email: user.email },
    answer: { ok: true },
  },
  'auth.resetPassword': {
    id: 'resetPassword',
    description: 'Sets a new password with the token of a reset link and ends all sessions of the account.',
    body: { token, newPassword: 'a longer horse battery' },
    answer: { ok: true, email: user.email },
  },
  'auth.updateProfile': {
    id: 'updateProfile',
    description: 'Updates the given fields; omitted fields are not changed.',
    body: { name: user.name, timeZone: 'Europe/Berlin' },
    answer: me,
  },
  'auth.requestEmailChange': {
    id: 'requestEmailChange',
    description: 'Sends a confirmation link to the new address. The change takes effect when it is confirmed.',
    body: { email: 'ada@northwind.example', currentPassword: password },
    answer: { ok: true },
  },
  'auth.confirmEmailChange': {
    id: 'confirmEmailChange',
    description: 'Confirms a new email address with the token of its link. Sessions stay valid.',
    body: { token },
    answer: { ok: true, email: 'ada@northwind.example' },
  },
  'auth.sessions.list': {
    id: 'listSessions',
    description: 'Returns the active sessions of your account, most recently used first.',
    answer: {
      sessions: [
        {
          id: '01KACV6T3Q0000000000000001',
          kind: 'dashboard',
          address: '198.51.100.7',
          userAgent: 'Mozilla/5.0',
          createdAt: '2026-11-20T03:07:12.000Z',
          lastUsedAt: '2026-11-21T08:15:00.000Z',
          isCurrent: true,
        },
      ],
    },
  },
  'auth.sessions.end': { id: 'endSession', description: 'Ends a session immediately.', answer: { ok: true } },
  'auth.sessions.endOthers': {
    id: 'endOtherSessions',
    description: 'Ends all sessions except the current one.',
    answer: { ended: 2 },
  },
};
