import type { Role } from '@/server/auth/schema';

/** What a role is called, and what it may do. */
export const roleWords: Record<Role, { label: string; means: string }> = {
  owner: { label: 'Owner', means: 'Everything, roles and billing included.' },
  admin: { label: 'Admin', means: 'Invites and removes people, and manages everything they do.' },
  member: { label: 'Member', means: 'Makes and changes monitors, incidents, channels and status pages.' },
  viewer: { label: 'Viewer', means: 'Sees everything, changes nothing.' },
};

/** A role in a sentence: "an owner", "a member". */
export function aRole(role: Role): string {
  const word = roleWords[role].label.toLowerCase();
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;
}
