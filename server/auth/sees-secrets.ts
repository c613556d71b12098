import type { TeamContext } from '@/server/trpc/contexts';

/**
 * Whether a caller sees editable fields that may contain secrets: request bodies, query strings, webhook URLs, ping
 * URLs. Requires write access; viewers and read-only keys get masks.
 */
export function seesSecrets({ actor }: Pick<TeamContext, 'actor'>): boolean {
  return actor.scopes.includes('write');
}
