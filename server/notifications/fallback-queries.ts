import type { Tx } from '@/server/platform/db';

/** Takes channels away as the fallback of others, and of their team. */
export async function forgetFallbacks(tx: Tx, ids: string[]): Promise<void> {
  // Raw: the versions of the team and of other channels stay as they are, because nobody edited these.
  await tx.$executeRaw`update teams set fallback_channel_id = null where fallback_channel_id = any(${ids}::text[])`;
  await tx.$executeRaw`update channels set fallback_channel_id = null where fallback_channel_id = any(${ids}::text[])`;
}
