import { z } from 'zod';
import { IdPage } from '@/server/lists/schema';
import { Role } from '@/server/trpc/schema';

/** An account as administrators see it. */
export const AdminUser = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  isAdmin: z.boolean(),
  createdAt: z.iso.datetime(),
  teams: z.array(z.object({ id: z.string(), name: z.string(), role: Role })),
});
export type AdminUser = z.infer<typeof AdminUser>;

export const ListUsersInput = IdPage.extend({
  /** Part of the email address or name, or the complete ID. */
  query: z.string().trim().max(254).optional(),
});
export type ListUsersInput = z.infer<typeof ListUsersInput>;

export const ListedUsers = z.object({ users: z.array(AdminUser), nextCursor: z.string().nullable() });
export type ListedUsers = z.infer<typeof ListedUsers>;

/** A running worker. Figures cover the last five minutes, or the time since its start. */
export const Worker = z.object({
  id: z.string(),
  region: z.string(),
  startedAt: z.iso.datetime(),
  /** The time of its last presence report, sent every ten seconds. */
  seenAt: z.iso.datetime(),
  checksPerMinute: z.number(),
  /** The 99th percentile of the delay between scheduled and actual start of checks; null without checks. */
  latenessP99Ms: z.number().nullable(),
  version: z.string(),
});
export type Worker = z.infer<typeof Worker>;

export const ListedWorkers = z.object({ workers: z.array(Worker), nextCursor: z.string().nullable() });
export type ListedWorkers = z.infer<typeof ListedWorkers>;

export const UserId = z.strictObject({ userId: z.string().max(200) });

/** A link that sets the password of an account once. */
export const PasswordResetLink = z.object({ url: z.url(), expiresAt: z.iso.datetime() });
export type PasswordResetLink = z.infer<typeof PasswordResetLink>;

export const ForceDeleteInput = UserId.extend({
  /** Recorded in the audit log. */
  reason: z.string().trim().min(1, 'Enter a reason.').max(1000, 'Use at most 1000 characters.'),
});
export type ForceDeleteInput = z.infer<typeof ForceDeleteInput>;

/** The ID of the caller's current team, and its name, typed to confirm. */
export const DeleteTeamInput = z.strictObject({ teamId: z.string().max(64), name: z.string().max(200) });
export type DeleteTeamInput = z.infer<typeof DeleteTeamInput>;

/** A deleted team with counts of its contents. Checks and deliveries are deleted with their monitors and channels. */
const LostTeam = z.object({
  id: z.string(),
  name: z.string(),
  members: z.int(),
  monitors: z.int(),
  incidents: z.int(),
  channels: z.int(),
  statusPages: z.int(),
  maintenanceWindows: z.int(),
  apiKeys: z.int(),
  invitations: z.int(),
  /** Whether it has a customer at Stripe, who is deleted together with the subscription. */
  billing: z.boolean(),
});

/** A team that stays and loses this member. */
const LeftTeam = z.object({ id: z.string(), name: z.string(), role: Role, apiKeys: z.int() });

/** What a force delete removes. */
export const Removal = z.object({
  user: AdminUser.omit({ teams: true }),
  /** The teams whose only owner is this user. */
  teams: z.array(LostTeam),
  memberships: z.array(LeftTeam),
});
export type Removal = z.infer<typeof Removal>;

export const RemovalPreview = Removal.extend({
  /** Why the deletion would be rejected, or null. */
  refusal: z.string().nullable(),
});
export type RemovalPreview = z.infer<typeof RemovalPreview>;

export const Message = z.object({ message: z.string() });
