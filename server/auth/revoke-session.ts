import { db } from '@/server/platform/db';

/** Ends one session. */
export async function revokeSession(id: string): Promise<void> {
  await db.session.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: new Date() } });
}
