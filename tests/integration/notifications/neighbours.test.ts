import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import { deliverMessage, stopSends } from '@/server/notifications/deliveries/deliver-channel';
import { db } from '@/server/platform/db';
import { type RunningJobs, startJobs } from '@/server/platform/jobs';
import type { TeamContext } from '@/server/trpc/contexts';
import { type HttpReceiver, startHttpReceiver } from '@/tests/support/receivers';
import { newTeam, newWebhook, openedEvent } from './support';

// Modules of its own: the sending of a process is stopped for good.

let hanging: HttpReceiver;
let quick: HttpReceiver;
let running: RunningJobs | null = null;

beforeAll(async () => {
  hanging = await startHttpReceiver();
  quick = await startHttpReceiver();
  hanging.respond(() => 'hang');
});
afterAll(async () => {
  await hanging.close();
  await quick.close();
  await stopSends(0);
  await running?.stop();
});

async function enqueue(ctx: TeamContext): Promise<void> {
  const event = await openedEvent(ctx);
  await db.$transaction((tx) => createDeliveries(tx, [event]));
}

describe('hanging receivers', () => {
  it('delay no messages of another team, and lose none of their own', async () => {
    const noisy = await newTeam();
    for (let count = 0; count < 100; count += 1) await newWebhook(noisy, hanging.url);
    const quiet = await newTeam();
    await newWebhook(quiet, quick.url);
    running = await startJobs({ jobs: [deliverMessage], concurrency: 20 });
    await enqueue(quiet);
    await quick.waitFor(1);
    await enqueue(noisy);
    await hanging.waitFor(25);
    for (let count = 2; count < 7; count += 1) {
      const began = performance.now();
      await enqueue(quiet);
      await quick.waitFor(count);
      // A hanging receiver occupies its slot for 15 s; a busy machine needs a fraction of that.
      expect(performance.now() - began).toBeLessThan(5_000);
    }
    expect(await db.delivery.count({ where: { teamId: noisy.team.id, status: 'pending' } })).toBe(100);
    // Each channel has a timer, or waits for a slot with the priority of 100 waiting messages, 5: at 0, it would run before another team's message.
    const jobs = await db.$queryRaw<{ kind: string; channels: number; first: number }[]>`
      select split_part(key, ':', 1) as kind, count(*)::int as channels, min(priority)::int as first
      from graphile_worker._private_jobs
      where key like 'deliver%' and payload->>'channelId' in (select id from channels where team_id = ${noisy.team.id})
      group by 1 order by 1`;
    const [timers, later] = jobs;
    expect((timers?.channels ?? 0) + (later?.channels ?? 0)).toBe(100);
    expect([timers?.kind, later?.kind, later?.first]).toEqual(['deliver', 'deliver-later', 5]);
  }, 60_000);
});
