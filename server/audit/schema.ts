import { z } from 'zod';
import { IdPage } from '@/server/lists/schema';

const Shown = z.record(z.string(), z.unknown()).nullable();

/** One change: actor, credential, IP address, target and changed fields. */
export const AuditEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /** Null for an entry of the whole instance. */
  teamId: z.string().nullable(),
  actor: z.object({
    /** `system` for a change without a request, such as an event of the payment provider. */
    kind: z.enum(['user', 'key', 'system', 'anonymous']),
    /** The user; for a key, its creator. */
    id: z.string().nullable(),
    /** The email address of the user at that time. */
    email: z.string().nullable(),
    /** "session", "access token", or the prefix of the key. */
    credential: z.string().nullable(),
  }),
  address: z.string().nullable(),
  requestId: z.string().nullable(),
  /** "monitor.update", "member.remove", … */
  action: z.string(),
  target: z.object({ type: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
  reason: z.string().nullable(),
  /** The changed fields before and after; secrets are masked or omitted. */
  before: Shown,
  after: Shown,
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const ListAuditInput = IdPage.extend({
  /** "monitor.update", or "monitor" for every action of that kind. */
  action: z.string().trim().max(100).optional(),
  /** The ID of the changed object. */
  target: z.string().trim().max(200).optional(),
});
export type ListAuditInput = z.infer<typeof ListAuditInput>;

export const AuditPage = z.object({ entries: z.array(AuditEntry), nextCursor: z.string().nullable() });
export type AuditPage = z.infer<typeof AuditPage>;
