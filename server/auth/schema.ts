import { z } from 'zod';
import { StrictLine } from '@/server/text/schema';
import { canonicalZone } from '@/server/time/schema';
import { Role } from '@/server/trpc/schema';

/** The shortest and the longest password, counted in Unicode code points. */
const PASSWORD_LENGTH = { min: 10, max: 200 };

/** An address as stored and compared: trimmed, in lower case. */
export const Email = z.string().trim().toLowerCase().max(254).check(z.email('Enter a valid email address.'));

function hasGoodLength(password: string): boolean {
  const { length } = [...password];
  return length >= PASSWORD_LENGTH.min && length <= PASSWORD_LENGTH.max;
}

/** A new password. The first limit only keeps the refinement from counting megabytes. */
export const NewPassword = z
  .string()
  .max(2 * PASSWORD_LENGTH.max, `Use at most ${PASSWORD_LENGTH.max} characters.`)
  .refine(hasGoodLength, `Use ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters.`)
  .meta({ minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max });

/** A password to verify. Its format is not validated: an impossible password is simply wrong. */
const GivenPassword = z.string().min(1, 'Enter your password.').max(1_000);

/** The name of a user or team. Blank is treated as no name. */
const DisplayName = StrictLine.max(100);

/** The name of a team. */
export const TeamName = DisplayName.min(1, 'Enter a name.');

export const SignUpInput = z.strictObject({
  email: Email,
  password: NewPassword,
  name: DisplayName.optional(),
  teamName: DisplayName.optional(),
});
export type SignUpInput = z.infer<typeof SignUpInput>;

export const LogInInput = z.strictObject({ email: Email, password: GivenPassword });
export type LogInInput = z.infer<typeof LogInInput>;

export const RefreshInput = z.strictObject({ refreshToken: z.string().min(1).max(200) });
export type RefreshInput = z.infer<typeof RefreshInput>;

export const ChangePasswordInput = z.strictObject({ currentPassword: GivenPassword, newPassword: NewPassword });
export type ChangePasswordInput = z.infer<typeof ChangePasswordInput>;

const User = z.object({ id: z.string(), email: z.string(), name: z.string().nullable() });

/** An access token (JWT, 15 min) and a refresh token, which is exchanged once for the next pair. */
export const Tokens = z.object({ accessToken: z.string(), refreshToken: z.string() });
export type Tokens = z.infer<typeof Tokens>;

/** The signed-in user and their team; team and role are null without a team. */
const Identity = z.object({ user: User, teamId: z.string().nullable(), role: Role.nullable() });

export const SignedIn = Identity.extend(Tokens.shape);
export type SignedIn = z.infer<typeof SignedIn>;

/** As `SignedIn`. Without tokens for a dashboard session, which is identified by its cookie. */
export const SessionChanged = Identity.extend(Tokens.partial().shape);
export type SessionChanged = z.infer<typeof SessionChanged>;

export const Me = z.object({
  user: User.extend({ isAdmin: z.boolean(), timeZone: z.string().nullable() }),
  teamId: z.string().nullable(),
  role: Role.nullable(),
  teams: z.array(z.object({ id: z.string(), name: z.string(), role: Role })),
});
export type Me = z.infer<typeof Me>;

export const RequestPasswordResetInput = z.strictObject({ email: Email });
export type RequestPasswordResetInput = z.infer<typeof RequestPasswordResetInput>;

const LinkToken = z.string().min(1).max(200);

export const ResetPasswordInput = z.strictObject({ token: LinkToken, newPassword: NewPassword });
export type ResetPasswordInput = z.infer<typeof ResetPasswordInput>;

export const ConfirmEmailChangeInput = z.strictObject({ token: LinkToken });
export type ConfirmEmailChangeInput = z.infer<typeof ConfirmEmailChangeInput>;

export const RequestEmailChangeInput = z.strictObject({ email: Email, currentPassword: GivenPassword });
export type RequestEmailChangeInput = z.infer<typeof RequestEmailChangeInput>;

const isTimeZone = (name: string) => canonicalZone(name) !== null;

/** The profile fields that a user can change. With `timeZone` null, the browser's time zone applies. */
export const UpdateProfileInput = z
  .strictObject({
    name: DisplayName.optional(),
    timeZone: z.string().max(64).refine(isTimeZone, 'Choose a time zone such as Europe/Berlin.').nullable().optional(),
  })
  .refine((input) => Object.keys(input).length > 0, 'Change at least one field.');
export type UpdateProfileInput = z.infer<typeof UpdateProfileInput>;

const ListedSession = z.object({
  id: z.string(),
  kind: z.enum(['dashboard', 'tokens']),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  createdAt: z.string(),
  lastUsedAt: z.string(),
  isCurrent: z.boolean(),
});

export const SessionPage = z.object({ sessions: z.array(ListedSession) });
export type SessionPage = z.infer<typeof SessionPage>;
