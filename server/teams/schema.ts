import { z } from 'zod';
import { Email, SignedIn, SignUpInput, TeamName } from '@/server/auth/schema';
import { IdPage } from '@/server/lists/schema';
import { Role } from '@/server/trpc/schema';

export { isStronger, Role } from '@/server/trpc/schema';

/** A team with the caller's role in it. */
export const Team = z.object({ id: z.string(), name: z.string(), role: Role });
export type Team = z.infer<typeof Team>;

export const TeamInput = z.strictObject({ name: TeamName });
export type TeamInput = z.infer<typeof TeamInput>;

/** A member of a team. `createdAt` is when they joined. */
export const Member = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  role: Role,
  createdAt: z.iso.datetime(),
});
export type Member = z.infer<typeof Member>;

export const ListMembersInput = IdPage.extend({
  /** Part of the email address or name, or the complete ID. */
  query: z.string().trim().max(254).optional(),
});
export type ListMembersInput = z.infer<typeof ListMembersInput>;

export const UpdateMemberInput = z.strictObject({ userId: z.string(), role: Role });
export type UpdateMemberInput = z.infer<typeof UpdateMemberInput>;

/** The email address and role of an invitee. */
export const InviteInput = z.strictObject({ email: Email, role: Role });
export type InviteInput = z.infer<typeof InviteInput>;

export const InvitationStatus = z.enum(['open', 'used', 'revoked', 'expired']);
export type InvitationStatus = z.infer<typeof InvitationStatus>;

/** A pending or expired invitation as the team sees it. */
export const PendingInvitation = z.object({
  id: z.string(),
  email: z.string(),
  role: Role,
  status: InvitationStatus.extract(['open', 'expired']),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  createdBy: z.object({ id: z.string(), name: z.string().nullable(), email: z.string() }).nullable(),
});
export type PendingInvitation = z.infer<typeof PendingInvitation>;

/** A new invitation. Token and link are returned only in this response. */
export const NewInvitation = z.object({
  id: z.string(),
  email: z.string(),
  role: Role,
  token: z.string(),
  url: z.url(),
  expiresAt: z.iso.datetime(),
});
export type NewInvitation = z.infer<typeof NewInvitation>;

/** The public details of an invitation link. */
export const InvitationView = z.object({
  teamName: z.string(),
  role: Role,
  email: z.string(),
  status: InvitationStatus,
  expiresAt: z.iso.datetime(),
});
export type InvitationView = z.infer<typeof InvitationView>;

/** The account that is created by accepting an invitation without one. */
export const NewAccount = SignUpInput.pick({ email: true, password: true, name: true });
export type NewAccount = z.infer<typeof NewAccount>;

/** Callers without a session must send a `NewAccount`, which is validated after the invitation; signed-in users need no body. */
export const AcceptInvitationInput = z.strictObject({
  token: z.string(),
  email: z.unknown().optional().meta({ type: 'string', format: 'email' }),
  password: z.unknown().optional().meta({ type: 'string', minLength: 10, maxLength: 200 }),
  name: z.unknown().optional().meta({ type: 'string', maxLength: 100 }),
});
export type AcceptInvitationInput = z.infer<typeof AcceptInvitationInput>;

/** The joined account, team and role, with the tokens of a new session. */
export const Joined = SignedIn.extend({ teamId: z.string(), role: Role });
export type Joined = z.infer<typeof Joined>;
