import { afterCommit } from '@/server/platform/database/held-transaction';
import { snapshots } from './snapshots';

/** Drops the snapshots of a team's status pages here and in other processes, once the request's changes are committed. */
export async function forgetSnapshots(teamId: string): Promise<void> {
  await afterCommit(async () => snapshots().drop(teamId));
}
