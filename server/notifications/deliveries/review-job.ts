import { z } from 'zod';
import type { Tx } from '@/server/platform/db';
import { enqueue } from '@/server/platform/jobs';
import { type ChannelHealth, nextReview } from './channel-health';

/** How a review is queued, apart from its work: the work sends messages, whose record queues reviews. */
export const reviewJob = { name: 'review-channel', schema: z.object({ channelId: z.string() }), maxAttempts: 25 };

/** Queues the next review of a channel whose messages fail. A channel has one waiting review. */
export async function queueReview(tx: Tx, channelId: string, health: ChannelHealth, now: Date): Promise<void> {
  const runAt = nextReview(health, now);
  if (runAt) await enqueue(tx, reviewJob, { channelId }, { runAt, jobKey: `review-channel:${channelId}` });
}
