import type { TeamContext } from '@/server/trpc/contexts';

/**
 * Whether a caller sees what may hold secrets but has to be edited: request bodies, query strings, webhook URLs, ping URLs.
 * That takes the right to write; viewers and read-only keys get masks.
 */
export function seesSecrets({ actor }: Pick<TeamContext, 'actor'>): boolean {
  return actor.scopes.includes('write');
}
