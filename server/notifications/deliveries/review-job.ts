import { z } from 'zod';
import type { Tx } from '@/server/platform/db';
import { enqueue } from '@/server/platform/jobs';
import { type ChannelHealth, nextReview } from './channel-health';

/**
 * The review job without its handler, which is defined elsewhere to avoid an import cycle: it enqueues messages, and recording their attempts queues
 * reviews.
 */
export const reviewJob = { name: 'review-channel', schema: z.object({ channelId: z.string() }), maxAttempts: 25 };

/** Queues the next review of a channel, if its health needs one. A channel has at most one waiting review. */
export async function queueReview(tx: Tx, channelId: string, health: ChannelHealth, now: Date): Promise<void> {
  const runAt = nextReview(health, now);
  if (runAt) await enqueue(tx, reviewJob, { channelId }, { runAt, jobKey: `review-channel:${channelId}` });
}
