import type { OperationDoc } from '../types';
import { apiKey, page, teamId, tokens, user } from './examples';

const password = 'correct horse battery';
const identity = { user, teamId, role: 'owner' };
const signedIn = { ...identity, ...tokens };
const { refreshToken } = tokens;

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
    answer: {
      ...identity,
      user: { ...user, isAdmin: true },
      teams: [{ id: teamId, name: 'Shop team', role: 'owner' }],
    },
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
