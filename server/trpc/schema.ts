import { z } from 'zod';

/** What a member may do, strongest first. */
export const Role = z.enum(['owner', 'admin', 'member', 'viewer']);
export type Role = z.infer<typeof Role>;

/** Whether role `a` may do more than role `b`. */
export function isStronger(a: Role, b: Role): boolean {
  return Role.options.indexOf(a) < Role.options.indexOf(b);
}
