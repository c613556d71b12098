import { z } from 'zod';
import { Instant, StrictLine } from '@/server/text/schema';
import { Scope } from '@/server/trpc/schema';

/** A new key. Each request with it is also limited by the current role of its creator. */
export const CreateApiKeyInput = z.strictObject({
  name: StrictLine.min(1, 'Enter a name.').max(100),
  scopes: z.array(Scope).min(1, 'Select at least one scope.').max(Scope.options.length),
  /** Null or omitted: the key does not expire. */
  expiresAt: Instant.refine((at) => Date.parse(at) > Date.now(), 'Enter a time in the future.').nullish(),
  /** The addresses and CIDR ranges from which the key is accepted; omitted or empty: from everywhere. */
  allowedNetworks: z.array(z.string().trim().max(50)).max(20).optional(),
});
export type CreateApiKeyInput = z.infer<typeof CreateApiKeyInput>;

/** Sorts scopes in the order of their table and removes duplicates. */
export function sortScopes(given: readonly string[]): Scope[] {
  return Scope.options.filter((scope) => given.includes(scope));
}

/** A key without its secret; `prefix` is the start of the secret. */
export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(Scope),
  prefix: z.string(),
  expiresAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
  allowedNetworks: z.array(z.string()),
  createdAt: z.iso.datetime(),
  createdBy: z.object({ id: z.string(), name: z.string().nullable(), email: z.string() }),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** A new key with its secret, which is returned only once. */
export const CreatedApiKey = z.object({ apiKey: ApiKey, secret: z.string() });
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;
