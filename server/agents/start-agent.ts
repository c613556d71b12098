import type { z } from 'zod';
import { db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { sealFor } from '@/server/platform/sealed-box';
import type { Presented } from './identify-agent';
import type { ReportInput, StartAnswer, StartInput } from './protocol';
import { countRunning, lockToken, touchAgent } from './queries';

const MOST_RUNNING = 20;

/** @throws AppError VALIDATION_ERROR for a key of low order (RFC 7748, section 6.1) */
function assertKey(publicKey: string): void {
  try {
    sealFor(publicKey, '');
  } catch (error) {
    throw new AppError('VALIDATION_ERROR', 'The public key is not a valid X25519 key.', { cause: error });
  }
}

/**
 * Registers an agent and returns the ID under which it claims checks.
 * @throws AppError VALIDATION_ERROR for a key to which nothing can be sealed, UNAUTHENTICATED, RATE_LIMITED if 20 agents run with this token
 */
export async function startAgent(
  { id: tokenId, region }: Presented['token'],
  { name, version, publicKey }: z.infer<typeof StartInput>,
): Promise<z.infer<typeof StartAnswer>> {
  assertKey(publicKey);
  const id = newId();
  await db.$transaction(async (tx) => {
    if (!(await lockToken(tx, tokenId))) throw new AppError('UNAUTHENTICATED', 'This agent token was revoked.');
    if ((await countRunning(tx, tokenId, name)) >= MOST_RUNNING) {
      const message = `${MOST_RUNNING} agents run with this token already. Make another one, or stop an agent.`;
      throw new AppError('RATE_LIMITED', message, { retryAfterSeconds: 60 });
    }
    const { startedAt: lastUsedAt } = await tx.agent.create({ data: { id, tokenId, name, version, publicKey } });
    await tx.agentToken.update({ where: { id: tokenId }, data: { lastUsedAt } });
  });
  return { agentId: id, region };
}

/** Stores what an agent reports of itself. */
export const reportAgent = (id: string, report: ReportInput): Promise<void> => touchAgent(id, report);

/** Removes an agent that stops. */
export async function stopAgent(id: string): Promise<void> {
  await db.agent.deleteMany({ where: { id } });
}
