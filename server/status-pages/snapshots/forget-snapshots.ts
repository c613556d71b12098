import { afterCommit } from '@/server/platform/database/held-transaction';
import { snapshots } from './snapshots';

/** After a change to a team's status pages is committed, drops their snapshots here and in other processes. */
export async function forgetSnapshots(teamId: string): Promise<void> {
  await afterCommit(async () => snapshots().drop(teamId));
}
