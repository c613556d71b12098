import { isStronger, type Role } from '../schema';

/** Whether a member with the role `issuer` can invite with `role`. Null stands for non-members. */
export function canInvite(issuer: Role | null, role: Role): boolean {
  return issuer !== null && !isStronger('admin', issuer) && !isStronger(role, issuer);
}
