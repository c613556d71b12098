import type { Tx } from '@/server/platform/db';
import { notify } from '@/server/platform/listen';
import { openKey } from './open-key';
import { insertUpdates } from './queries';

export interface IncidentToNote {
  monitorId: string;
  message: string;
  at: Date;
  /** An incident gets at most one line with this key. */
  dedupeKey?: string;
}

/** Adds a generated note to the unresolved status incident of each monitor; skips monitors without one. Sends live events, but no notifications. */
export async function noteIncidents(tx: Tx, items: IncidentToNote[]): Promise<void> {
  if (items.length === 0) return;
  const byKey = new Map(items.map((item) => [openKey(item.monitorId, 'status'), item]));
  const open = await tx.incident.findMany({
    where: { openKey: { in: [...byKey.keys()] } },
    select: { id: true, teamId: true, openKey: true },
  });
  await insertUpdates(
    tx,
    open.flatMap(({ id, openKey: key }) => {
      const { message, at, dedupeKey } = byKey.get(key ?? '') ?? {};
      return message === undefined || at === undefined
        ? []
        : [{ incidentId: id, kind: 'note', message, at, dedupeKey }];
    }),
  );
  for (const { id, teamId: team } of open) await notify(tx, { team, kind: 'incident', ids: [id] });
}
