import { db } from '@/server/platform/db';
import { notifyAccess } from '@/server/platform/listen';

/** Ends one session. */
export async function revokeSession(id: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const ended = await tx.session.updateManyAndReturn({
      where: { id, revokedAt: null },
      data: { revokedAt: new Date() },
      select: { userId: true },
    });
    await notifyAccess(
      tx,
      ended.map(({ userId }) => userId),
    );
  });
}
