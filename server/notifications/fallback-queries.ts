import type { Tx } from '@/server/platform/db';

/** Clears the fallback of every channel and team that has one of these channels as its fallback. */
export async function forgetFallbacks(tx: Tx, ids: string[]): Promise<void> {
  // Raw: keeps the versions of the team and of other channels, because they were not edited.
  await tx.$executeRaw`update teams set fallback_channel_id = null where fallback_channel_id = any(${ids}::text[])`;
  await tx.$executeRaw`update channels set fallback_channel_id = null where fallback_channel_id = any(${ids}::text[])`;
}
