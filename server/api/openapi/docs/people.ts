import type { OperationDoc } from '../types';
import { apiKey, page, teamId, tokens, user } from './examples';

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

export const peopleDocs: Record<string, OperationDoc> = {
  'auth.signUp': {
    id: 'signUp',
    description: 'The first account of an instance administers it.',
    body: { email: user.email, password, name: user.name, teamName: 'Shop team' },
    answer: signedIn,
  },
  'auth.logIn': {
    id: 'logIn',
    description:
      'The access token lasts 15 minutes. Ten attempts in 15 minutes are allowed per account; the answers do not tell whether an account exists.',
    body: { email: user.email, password },
    answer: signedIn,
  },
  'auth.refresh': {
    id: 'refreshTokens',
    description: 'A refresh token works once. Using one again ends the whole session.',
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
    description: 'The person, the team the credential speaks for, and all their teams.',
    answer: me,
  },
  'auth.switchTeam': {
    id: 'switchTeam',
    description: 'Answers new tokens for the other team; a dashboard session goes on in its cookie.',
    body: { teamId },
    answer: signedIn,
  },
  'auth.changePassword': {
    id: 'changePassword',
    description: 'Ends every other session of the account.',
    body: { currentPassword: password, newPassword: 'a longer horse battery' },
    answer: signedIn,
  },
  'auth.requestPasswordReset': {
    id: 'requestPasswordReset',
    description:
      'Mails a link that works once, within an hour. The answer is the same where there is no account with this address.',
    body: { email: user.email },
    answer: { ok: true },
  },
  'auth.resetPassword': {
    id: 'resetPassword',
    description: 'Sets a new password with the token of a reset link, and ends every session of the account.',
    body: { token, newPassword: 'a longer horse battery' },
    answer: { ok: true, email: user.email },
  },
  'auth.updateProfile': {
    id: 'updateProfile',
    description: 'Fields that are left out stay as they are.',
    body: { name: user.name, timeZone: 'Europe/Berlin' },
    answer: me,
  },
  'auth.requestEmailChange': {
    id: 'requestEmailChange',
    description: 'Mails a link to the new address. The address changes when the link is confirmed.',
    body: { email: 'ada@northwind.example', currentPassword: password },
    answer: { ok: true },
  },
  'auth.confirmEmailChange': {
    id: 'confirmEmailChange',
    description: 'Changes the address with the token of the link that was mailed to it. Sessions go on.',
    body: { token },
    answer: { ok: true, email: 'ada@northwind.example' },
  },
  'auth.sessions.list': {
    id: 'listSessions',
    description: 'The sessions of your account that still work, the last used first.',
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
  'auth.sessions.end': { id: 'endSession', description: 'The session stops working at once.', answer: { ok: true } },
  'auth.sessions.endOthers': {
    id: 'endOtherSessions',
    description: 'Signs out every session but the one that asks.',
    answer: { ended: 2 },
  },
  'apiKeys.list': {
    id: 'listApiKeys',
    description: 'Admins see all of the team, others their own.',
    answer: { apiKeys: [apiKey], ...page },
  },
  'apiKeys.create': {
    id: 'createApiKey',
    description: 'This answer alone shows the secret. A key never does more than its creator may at present.',
    body: { name: apiKey.name, scopes: apiKey.scopes },
    answer: { apiKey, secret: 'uw_4fT2c8Vn5Yq8Zs1Kd4Lw6Mb9Pj3Rf7hT0' },
  },
  'apiKeys.delete': { id: 'deleteApiKey', description: 'It stops working at once.', answer: { ok: true } },
};
