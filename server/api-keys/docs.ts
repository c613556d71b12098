import { at, page, user } from '@/server/trpc/examples';
import type { OperationDoc } from '@/server/trpc/operation-doc';

const apiKey = {
  id: '01KANZ8D5E7F9G1H3J5K7M9N1P',
  name: 'deploy script',
  scopes: ['monitors:write', 'incidents:read'],
  prefix: 'uw_4fT2',
  expiresAt: null,
  lastUsedAt: null,
  allowedNetworks: ['192.0.2.0/24'],
  createdAt: at,
  createdBy: { id: user.id, name: user.name, email: user.email },
};

export const apiKeyDocs: Record<string, OperationDoc> = {
  'apiKeys.list': {
    id: 'listApiKeys',
    alsoId: 'listTeamApiKeys',
    description: 'Returns API keys. Admins and owners see all keys of the team, others only their own.',
    answer: { apiKeys: [apiKey], ...page },
  },
  'apiKeys.create': {
    id: 'createApiKey',
    description:
      'Creates an API key. The secret is returned only in this response. A key never has more permissions than its creator currently has. `read` and `write` are for all resources; `monitors:write` and the like for one, and include reading it. With `allowedNetworks`, requests from other addresses are answered with FORBIDDEN.',
    body: { name: apiKey.name, scopes: apiKey.scopes, allowedNetworks: apiKey.allowedNetworks },
    answer: { apiKey, secret: 'uw_4fT2c8Vn5Yq8Zs1Kd4Lw6Mb9Pj3Rf7hT0' },
  },
  'apiKeys.delete': {
    id: 'deleteApiKey',
    alsoId: 'deleteTeamApiKey',
    description: 'Revokes an API key immediately.',
    answer: { ok: true },
  },
};
