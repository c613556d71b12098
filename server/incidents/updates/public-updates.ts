import type { IncidentUpdate as UpdateRow } from '@/server/platform/generated/prisma/client';

/** Selects the updates that people outside of the team may see: a note is internal unless it is published. */
export const publicUpdates = {
  OR: [
    { kind: { in: ['opened' as const, 'acknowledged' as const, 'resolved' as const, 'reopened' as const] } },
    { kind: 'note' as const, isPublic: true },
  ],
};

type PublicKind = Exclude<UpdateRow['kind'], 'changed'>;

/** The public texts that replace generated updates, because those contain check results and names of team members. */
const ownWords: Record<Exclude<PublicKind, 'note'>, string> = {
  opened: 'We are aware of a problem.',
  acknowledged: 'We are working on it.',
  resolved: 'This incident has been resolved.',
  reopened: 'This incident has been reopened.',
};

/** Maps an update to its public form; empty for an internal one. */
export function toPublicUpdate({ id, kind, message, at }: Pick<UpdateRow, 'id' | 'kind' | 'message' | 'at'>) {
  if (kind === 'changed') return [];
  return [{ id, kind, message: kind === 'note' ? message : ownWords[kind], at: at.toISOString() }];
}
