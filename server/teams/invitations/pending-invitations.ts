import type { Prisma } from '@/server/platform/generated/prisma/client';

/** The invitations of a team that were neither used nor revoked; with a time, those that are valid then. */
export function pendingInvitations(teamId: string, at?: Date): Prisma.InvitationWhereInput {
  return { teamId, usedAt: null, revokedAt: null, ...(at && { expiresAt: { gt: at } }) };
}
