import 'server-only';
import { CHANNELS_READ, type Setup, toSetup } from '@/app/_components/setup/setup';
import { pageCaller } from '@/app/_trpc/server';

/** Reads how far the team has set up Upwatch; undefined if that fails, so that a page shows no hint instead of an error. */
export async function readSetup(): Promise<Setup | undefined> {
  const caller = await pageCaller();
  const read = Promise.all([
    caller.notifications.list({ limit: CHANNELS_READ }),
    caller.escalationPolicies.list({ limit: 1 }),
    caller.statusPages.list({ limit: 1 }),
  ]);
  return read.then(
    ([{ channels }, { escalationPolicies }, { statusPages }]) => toSetup(channels, escalationPolicies, statusPages),
    () => undefined,
  );
}
