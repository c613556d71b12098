import 'server-only';
import { anyNotifies, CHANNELS_READ, type Setup, toSetup } from '@/app/_components/setup/setup';
import { pageCaller } from '@/app/_trpc/server';

/** Reads how far the team has set up Upwatch; undefined if that fails, so that a page shows no hint instead of an error. */
export async function readSetup(): Promise<Setup | undefined> {
  const caller = await pageCaller();
  const read = async () => {
    const [{ channels }, { statusPages }] = await Promise.all([
      caller.notifications.list({ limit: CHANNELS_READ }),
      caller.statusPages.list({ limit: 1 }),
    ]);
    const policies = anyNotifies(channels)
      ? []
      : (await caller.escalationPolicies.list({ limit: 1 })).escalationPolicies;
    return toSetup(channels, policies, statusPages);
  };
  return read().catch(() => undefined);
}
