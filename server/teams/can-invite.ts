import { isStronger, type Role } from './schema';

/** Whether a member with the role `issuer` may invite as `role`. Null: no member of the team. */
export function canInvite(issuer: Role | null, role: Role): boolean {
  return issuer !== null && !isStronger('admin', issuer) && !isStronger(role, issuer);
}
