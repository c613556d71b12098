import { afterCommit } from '@/server/platform/held-transaction';
import { snapshots } from './snapshots';

/** Once a change of a team's status pages is committed, the next request here sees it; other processes hear of it. */
export async function forgetSnapshots(teamId: string): Promise<void> {
  await afterCommit(async () => snapshots().drop(teamId));
}
