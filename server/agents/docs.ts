import { at, page, user } from '@/server/trpc/examples';
import type { OperationDoc } from '@/server/trpc/operation-doc';

const agentToken = {
  id: '01KANZ8D5E7F9G1H3J5K7M9N1P',
  name: 'office server',
  region: 'private/office',
  prefix: 'uwa_4fT2c8',
  lastUsedAt: at,
  createdAt: at,
  createdBy: { id: user.id, name: user.name, email: user.email },
};

const agent = {
  id: '01KANZ9A2B4C6D8E0F2G4H6J8K',
  name: 'office-1',
  region: agentToken.region,
  tokenId: agentToken.id,
  version: '0.1.0+4fc2a871',
  startedAt: at,
  lastSeenAt: at,
  isAlive: true,
  checksPerMinute: 12,
  latenessP99Ms: 8.5,
  clockOffsetMs: -3,
  hasNetwork: true,
};

export const agentDocs: Record<string, OperationDoc> = {
  'agents.list': {
    id: 'listAgents',
    description:
      'Returns the agents that run, or ran within the last day, those that started last first. An agent checks the monitors that name its private region, such as `private/office`, from inside of a network.',
    answer: { agents: [agent], ...page },
  },
  'agents.listTokens': {
    id: 'listAgentTokens',
    description: 'Returns the agent tokens of the team, newest first.',
    answer: { agentTokens: [agentToken], ...page },
  },
  'agents.createToken': {
    id: 'createAgentToken',
    description:
      'Creates a token for agents of one private region. The secret is returned only in this response; start an agent with `upwatch agent --token-file`. Agents get the secrets of the monitors that name the region. Requires the role admin, and a key with the scope `agents:write`.',
    body: { name: agentToken.name, region: 'office' },
    answer: { agentToken, secret: 'uwa_4fT2c8Vn5Yq8Zs1Kd4Lw6Mb9Pj3Rf7hT0' },
  },
  'agents.deleteToken': {
    id: 'deleteAgentToken',
    description: 'Revokes an agent token. Its agents stop at their next request.',
    answer: { ok: true },
  },
};
