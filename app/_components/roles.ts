import type { Role } from '@/server/trpc/schema';

/** The label of each role, and what it allows: "This role can …". */
export const roleWords: Record<Role, { label: string; means: string }> = {
  owner: { label: 'Owner', means: 'can do everything, including managing roles and billing' },
  admin: { label: 'Admin', means: 'can invite and remove people, and manage everything members can' },
  member: { label: 'Member', means: 'can create and edit monitors, incidents, channels and status pages' },
  viewer: { label: 'Viewer', means: 'has read-only access' },
};

/** A role in a sentence: "an owner", "a member". */
export function aRole(role: Role): string {
  const word = roleWords[role].label.toLowerCase();
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;
}
