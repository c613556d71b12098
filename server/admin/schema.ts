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
  /** A part of the address or of the name, or the whole id. */
  query: z.string().trim().max(254).optional(),
});
export type ListUsersInput = z.infer<typeof ListUsersInput>;

export const ListedUsers = z.object({ users: z.array(AdminUser), nextCursor: z.string().nullable() });
export type ListedUsers = z.infer<typeof ListedUsers>;

/** A worker that runs. The figures are of its last five minutes, or of the time since its start. */
export const Worker = z.object({
  id: z.string(),
  region: z.string(),
  startedAt: z.iso.datetime(),
  /** When it last said that it is there, which it does every ten seconds. */
  seenAt: z.iso.datetime(),
  checksPerMinute: z.number(),
  /** 99 of 100 checks began at most this long after they were due; null where there was none. */
  latenessP99Ms: z.number().nullable(),
  version: z.string(),
});
export type Worker = z.infer<typeof Worker>;

export const ListedWorkers = z.object({ workers: z.array(Worker), nextCursor: z.string().nullable() });
export type ListedWorkers = z.infer<typeof ListedWorkers>;

export const UserId = z.strictObject({ userId: z.string().max(200) });

/** A link with which an account's password can be set once. */
export const PasswordResetLink = z.object({ url: z.url(), expiresAt: z.iso.datetime() });
export type PasswordResetLink = z.infer<typeof PasswordResetLink>;

export const ForceDeleteInput = UserId.extend({
  /** Kept in the audit log. */
  reason: z.string().trim().min(1, 'Enter a reason.').max(1000, 'Use at most 1000 characters.'),
});
export type ForceDeleteInput = z.infer<typeof ForceDeleteInput>;

/** The ID of the caller's current team, and its name, typed to confirm. */
export const DeleteTeamInput = z.strictObject({ teamId: z.string().max(64), name: z.string().max(200) });
export type DeleteTeamInput = z.infer<typeof DeleteTeamInput>;

/** A team that goes, with how much of what it has. Checks and deliveries go with their monitors and channels. */
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
  /** Whether it has a customer at Stripe, which goes with its subscription. */
  billing: z.boolean(),
});

/** A team that stays, and only loses this member. */
const LeftTeam = z.object({ id: z.string(), name: z.string(), role: Role, apiKeys: z.int() });

/** What a force delete removes. */
export const Removal = z.object({
  user: AdminUser.omit({ teams: true }),
  /** The teams of which the person is the only owner. */
  teams: z.array(LostTeam),
  memberships: z.array(LeftTeam),
});
export type Removal = z.infer<typeof Removal>;

export const RemovalPreview = Removal.extend({
  /** Why it would be refused; null where it would not. */
  refusal: z.string().nullable(),
});
export type RemovalPreview = z.infer<typeof RemovalPreview>;

export const Message = z.object({ message: z.string() });
