import type { Role, Scope } from '@/server/platform/generated/prisma/enums';

/** Who may call a procedure. Declared once, on the procedure; enforced once, below. */
export type Access =
  | { kind: 'public' }
  /** For anyone too, but a person's credential counts where one is shown, and one that does not hold is refused. */
  | { kind: 'optional' }
  /** A signed-in person, in whichever team. */
  | { kind: 'user' }
  /** A member of the team the credential speaks for, with at least this role and this scope. */
  | { kind: 'team'; role: Role; scope: Scope }
  /** An administrator of the instance. */
  | { kind: 'admin' };
