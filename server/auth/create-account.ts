import { type Tx, violatedConstraint } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { User as UserRow } from '@/server/platform/generated/prisma/client';
import { newId } from '@/server/platform/ids';

export interface NewAccountRow {
  email: string;
  name: string | null;
  passwordHash: string;
  isAdmin: boolean;
}

/**
 * Inserts a new account.
 * @throws AppError ACCOUNT_EXISTS, which aborts the transaction
 */
export async function createAccount(tx: Tx, account: NewAccountRow): Promise<UserRow> {
  try {
    return await tx.user.create({ data: { id: newId(), ...account } });
  } catch (error) {
    if (!violatedConstraint(error)?.includes('email')) throw error;
    throw new AppError('ACCOUNT_EXISTS', 'An account with this email address already exists.');
  }
}
