import { sha256 } from '@/server/platform/crypto';
import type { Tx } from '@/server/platform/db';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Returns the ID of the contact method for the email address of a member's account. Deterministic, so that two escalations that need it create only
 * one.
 */
export function accountMethodId(teamId: string, userId: string): string {
  const bytes = Buffer.from(sha256(`account method ${teamId} ${userId}`), 'hex');
  // Encodes it as a ULID: 26 characters of 5 bits, the first one below 8.
  const characters = [...bytes.subarray(0, 26)].map((byte) => ALPHABET[byte % 32]);
  return [ALPHABET[(bytes[26] ?? 0) % 8], ...characters.slice(1)].join('');
}

/** Creates a contact method for the email address of a member's account. If it exists, sets its address to the current one. */
export async function ensureAccountMethod(tx: Tx, teamId: string, userId: string): Promise<void> {
  const { email } = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } });
  const id = accountMethodId(teamId, userId);
  const data = { id, teamId, ownerId: userId, type: 'email', name: 'Account email', config: { to: email } } as const;
  await tx.channel.createMany({ data: [data], skipDuplicates: true });
  await tx.channel.updateMany({ where: { id, ownerId: userId }, data: { config: { to: email } } });
}
