import { sha256 } from '@/server/platform/crypto';
import { COMPATIBILITY } from '@/server/platform/database/compatibility';
import { AppError } from '@/server/platform/errors';
import { version } from '@/server/platform/version';
import { findAgent } from './queries';

/** The start of an agent's token, which tells it from an API key. */
export const TOKEN_START = 'uwa_';

/** An agent that has started, and what its token allows. */
export interface AgentIdentity {
  id: string;
  teamId: string;
  region: string;
  publicKey: string;
}

/** A token, and the agent that presents it; null before its start. */
export interface Presented {
  token: { id: string; teamId: string; region: string };
  agent: AgentIdentity | null;
}

/**
 * Verifies the token of an agent, and that it runs the version of this server. The only place that authorises agents.
 * @throws AppError UNAUTHENTICATED, EDIT_CONFLICT if the versions do not fit
 */
export async function identifyAgent(
  authorization: string | null,
  { agentId, compatibility }: { agentId: string; compatibility: string | null },
): Promise<Presented> {
  const [, secret] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? [];
  const found = secret?.startsWith(TOKEN_START) ? await findAgent(sha256(secret), agentId) : null;
  if (!found) throw new AppError('UNAUTHENTICATED', 'This agent token is invalid or was revoked.');
  if (compatibility !== String(COMPATIBILITY)) {
    const message = `This server runs Upwatch ${version} (compatibility ${COMPATIBILITY}), and the agent has compatibility ${compatibility ?? 'none'}. Install the same version for the agent.`;
    throw new AppError('EDIT_CONFLICT', message);
  }
  const { token, agent } = found;
  const { teamId, region } = token;
  return { token, agent: agent ? { id: agent.id, teamId, region, publicKey: agent.publicKey } : null };
}
