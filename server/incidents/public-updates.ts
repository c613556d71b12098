import type { IncidentUpdate as UpdateRow } from '@/server/platform/generated/prisma/client';

/** The updates of an incident that people outside of its team may see: a note is internal until it is published. */
export const publicUpdates = {
  OR: [
    { kind: { in: ['opened' as const, 'acknowledged' as const, 'resolved' as const, 'reopened' as const] } },
    { kind: 'note' as const, isPublic: true },
  ],
};

type PublicKind = Exclude<UpdateRow['kind'], 'changed'>;

/** Replaces generated updates, which contain check results and names of team members. */
const ownWords: Record<Exclude<PublicKind, 'note'>, string> = {
  opened: 'We are aware of a problem.',
  acknowledged: 'We are working on it.',
  resolved: 'This incident has been resolved.',
  reopened: 'This incident has been reopened.',
};

/** An update in public words; empty for one that is internal. */
export function toPublicUpdate({ id, kind, message, at }: UpdateRow) {
  if (kind === 'changed') return [];
  return [{ id, kind, message: kind === 'note' ? message : ownWords[kind], at: at.toISOString() }];
}
