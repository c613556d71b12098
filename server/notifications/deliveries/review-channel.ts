import { databaseNow } from '@/server/platform/database-now';
import { db } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';
import { notify } from '@/server/platform/listen';
import { lockForwarding } from '@/server/platform/locks';
import { review } from './channel-health';
import { lockHealth, writeHealth } from './channel-health-queries';
import { notifyHealthChange } from './notify-health-change';
import { queueChannels } from './queue-queries';
import { queueReview, reviewJob } from './review-job';

/**
 * Marks a channel as failing and notifies of it if its messages have failed for long enough; otherwise queues the next review. Runs by time, because
 * there may be no attempt at a message then.
 */
export const reviewChannel = defineJob({
  ...reviewJob,
  async run({ channelId }) {
    await db.$transaction(async (tx) => {
      await lockForwarding(tx, [channelId]);
      const channel = await lockHealth(tx, channelId);
      if (!channel) return;
      const now = await databaseNow(tx);
      const health = review(channel, now);
      if (health !== channel) {
        await writeHealth(tx, channelId, health);
        await queueChannels(tx, await notifyHealthChange(tx, channel, health), 'now');
        await notify(tx, { team: channel.teamId, kind: 'channel', ids: [channelId] });
      }
      await queueReview(tx, channelId, health, now);
    });
  },
});
