import type { TeamContext } from '@/server/trpc/contexts';
import { allows, type Resource } from '@/server/trpc/schema';

/**
 * Returns whether a caller sees editable fields of a resource that may contain secrets: request bodies, query strings, webhook URLs, ping URLs.
 * Requires write access to it; viewers and read-only keys get masks.
 */
export function seesSecrets({ actor }: Pick<TeamContext, 'actor'>, resource: Resource): boolean {
  return allows(actor.scopes, 'write', resource);
}
