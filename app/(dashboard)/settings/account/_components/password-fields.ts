import { z } from 'zod';
import { ChangePasswordInput } from '@/server/auth/schema';

/** The new password is entered twice to catch typos. */
export const PasswordFields = ChangePasswordInput.extend({ again: z.string() }).refine(
  ({ newPassword, again }) => newPassword === again,
  { path: ['again'], message: 'The passwords do not match.' },
);
