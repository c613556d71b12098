import { invalidField } from '@/server/platform/errors';

let kept: Promise<Set<string>> | undefined;

/** Loads the list. Call it on first use only, because parsing takes megabytes. */
async function load(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].map(String));
}

/**
 * Rejects common passwords (NIST SP 800-63B §3.1.1.2): those of a list of breached passwords, ignoring case and trailing symbols.
 * @throws AppError VALIDATION_ERROR at `field`
 */
export async function assertUncommon(password: string, field: string): Promise<void> {
  kept ??= load();
  const common = await kept;
  const lower = password.normalize('NFKC').toLowerCase();
  if (!common.has(lower) && !common.has(lower.replace(/[^\p{L}\p{N}]+$/u, ''))) return;
  throw invalidField(field, 'This password is too common. Choose one that is harder to guess.');
}
