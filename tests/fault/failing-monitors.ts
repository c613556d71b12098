import { alone, bundles } from '@/scripts/lib/prepare.mjs';
import { db } from '@/server/platform/db';
import type { Monitor } from '@/server/platform/generated/prisma/client';
import { newId } from '@/server/platform/ids';
import { makeMonitors, makeTeam } from '@/tests/integration/checks/monitors';
import { type HttpReceiver, startHttpReceiver, until } from '@/tests/support/receivers';

export interface FailingMonitors {
  target: HttpReceiver;
  receiver: HttpReceiver;
  monitors: Monitor[];
  pathOf: (monitor: Monitor) => string;
  /** The paths at which the target fails. */
  failing: Set<string>;
  /** Waits until monitors have a status. */
  untilStatus: (wanted: Monitor[], status: 'up' | 'down', what: string) => Promise<void>;
  /** Makes monitors fail until each has sent a down notification, and succeed until each has recovered. */
  fail: (members: Monitor[]) => Promise<void>;
  /** Waits until both messages about each of these monitors are delivered. */
  untilDelivered: (failed: number) => Promise<void>;
  close: () => Promise<unknown>;
}

/** Monitors of a target that a test can make fail, and a webhook that receives their events. Builds the worker. */
export async function makeFailingMonitors(
  count: number,
  {
    intervalSeconds,
    regions,
    patienceMs,
    beforeAnswer,
  }: { intervalSeconds: number; regions?: string[]; patienceMs: number; beforeAnswer?: () => Promise<unknown> },
): Promise<FailingMonitors> {
  await alone(bundles);
  const failing = new Set<string>();
  const [target, receiver] = await Promise.all([startHttpReceiver(), startHttpReceiver()]);
  target.respond(async ({ path }) => {
    await beforeAnswer?.();
    return { status: failing.has(path) ? 503 : 200 };
  });
  const teamId = await makeTeam();
  await db.channel.create({
    data: { id: newId(), teamId, type: 'webhook', name: 'Receiver', config: { url: `${receiver.url}/hook` } },
  });
  const monitors = await makeMonitors(
    teamId,
    Array.from({ length: count }, (_, index) => ({
      url: `${target.url}/${index}`,
      intervalSeconds,
      config: { confirm: { failures: 2, recoveries: 1, retryDelayMs: 1_000 } },
      ...(regions && { regions }),
    })),
  );
  const pathOf = ({ config }: Monitor) => new URL((config as { url: string }).url).pathname;
  const untilStatus = (wanted: Monitor[], status: 'up' | 'down', what: string) => {
    const where = { monitorId: { in: wanted.map(({ id }) => id) }, region: '', status };
    return until(async () => (await db.monitorState.count({ where })) === wanted.length, patienceMs, what);
  };
  return {
    target,
    receiver,
    monitors,
    pathOf,
    failing,
    untilStatus,
    fail: async (members) => {
      for (const monitor of members) failing.add(pathOf(monitor));
      await untilStatus(members, 'down', 'Down');
      for (const monitor of members) failing.delete(pathOf(monitor));
      await untilStatus(members, 'up', 'Up again');
    },
    untilDelivered: (failed) =>
      until(
        async () => (await db.delivery.count({ where: { status: 'delivered' } })) === 2 * failed,
        patienceMs,
        'Every message',
      ),
    close: () => Promise.all([target.close(), receiver.close()]),
  };
}
