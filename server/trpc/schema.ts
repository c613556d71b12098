import { z } from 'zod';

/** The roles of members, strongest first. */
export const Role = z.enum(['owner', 'admin', 'member', 'viewer']);
export type Role = z.infer<typeof Role>;

/** Whether role `a` is stronger than role `b`. */
export function isStronger(a: Role, b: Role): boolean {
  return Role.options.indexOf(a) < Role.options.indexOf(b);
}
