import type { Tx } from '@/server/platform/db';

/**
 * Holds the team's row until the transaction ends: what is counted under it stays true until then. Rows that refer to
 * the team are not held up, so whoever writes one without this lock cannot end in a deadlock with whoever has it.
 */
export async function lockTeam(tx: Tx, teamId: string): Promise<void> {
  await tx.$queryRaw`select 1 from teams where id = ${teamId} for no key update`;
}
