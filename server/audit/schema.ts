import { z } from 'zod';
import { IdPage } from '@/server/lists/schema';

const Shown = z.record(z.string(), z.unknown()).nullable();

/** One change: who made it, by which credential and from where, what it was made to, and what differs. */
export const AuditEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /** Null for what concerns the whole instance. */
  teamId: z.string().nullable(),
  actor: z.object({
    /** `system`: nobody's request, such as an event of the payment provider. */
    kind: z.enum(['user', 'key', 'system', 'anonymous']),
    /** The person; of a key, its creator. */
    id: z.string().nullable(),
    /** The person's address at that time. */
    email: z.string().nullable(),
    /** "session", "access token", or how the key's secret begins. */
    credential: z.string().nullable(),
  }),
  address: z.string().nullable(),
  requestId: z.string().nullable(),
  /** "monitor.update", "member.remove", … */
  action: z.string(),
  target: z.object({ type: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
  reason: z.string().nullable(),
  /** What differs, as it was and as it became; secrets are masked or left out. */
  before: Shown,
  after: Shown,
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const ListAuditInput = IdPage.extend({
  /** "monitor.update", or "monitor" for every action of that kind. */
  action: z.string().trim().max(100).optional(),
  /** The id of what was changed. */
  target: z.string().trim().max(200).optional(),
});
export type ListAuditInput = z.infer<typeof ListAuditInput>;

export const AuditPage = z.object({ entries: z.array(AuditEntry), nextCursor: z.string().nullable() });
export type AuditPage = z.infer<typeof AuditPage>;
