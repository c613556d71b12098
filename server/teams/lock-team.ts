import type { Tx } from '@/server/platform/db';

/** Holds the team's row until the transaction ends: what is counted under it stays true until then. */
export async function lockTeam(tx: Tx, teamId: string): Promise<void> {
  await tx.$queryRaw`select 1 from teams where id = ${teamId} for update`;
}
