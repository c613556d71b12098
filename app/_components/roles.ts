import type { Role } from '@/server/auth/schema';

/** What a role is called, and what one who has it does. */
export const roleWords: Record<Role, { label: string; means: string }> = {
  owner: { label: 'Owner', means: 'decides everything, roles and billing included' },
  admin: { label: 'Admin', means: 'invites and removes people, and manages everything they do' },
  member: { label: 'Member', means: 'makes and changes monitors, incidents, channels and status pages' },
  viewer: { label: 'Viewer', means: 'sees everything and changes nothing' },
};

/** A role in a sentence: "an owner", "a member". */
export function aRole(role: Role): string {
  const word = roleWords[role].label.toLowerCase();
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;
}
