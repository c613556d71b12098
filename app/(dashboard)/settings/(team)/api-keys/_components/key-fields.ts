import { z } from 'zod';
import { CreateApiKeyInput } from '@/server/api-keys/schema';
import { DAY_MS } from '@/server/time/schema';
import { type Action, type Resource, resources, Scope } from '@/server/trpc/schema';

/** The fields of the form for a new key. */
export const KeyFields = CreateApiKeyInput.pick({ name: true })
  .extend({
    access: z.enum(['full', 'read', 'resources']),
    /** With access by resource: the scope of each chosen resource. */
    scopes: z.array(Scope),
    /** Addresses and ranges, separated by commas or spaces. */
    allowedNetworks: z.string(),
    lifetime: z.enum(['never', '30', '90', '365']),
  })
  .refine(({ access, scopes }) => access !== 'resources' || scopes.length > 0, {
    path: ['scopes'],
    error: 'Select at least one resource.',
  });
export type KeyFields = z.infer<typeof KeyFields>;

/** What is sent for these fields. */
export function toInput({ name, access, scopes, allowedNetworks, lifetime }: KeyFields): CreateApiKeyInput {
  const whole = { full: ['read', 'write'] as Scope[], read: ['read'] as Scope[], resources: scopes };
  return {
    name,
    scopes: whole[access],
    allowedNetworks: allowedNetworks.split(/[\s,]+/).filter(Boolean),
    expiresAt: lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString(),
  };
}

/** The resources that a key can have a scope of, with their scopes, weakest first. */
export const choices = Object.entries(resources).flatMap(([name, resource]) => {
  const { label, actions } = resource;
  const scopes = actions.map((action: Action) => Scope.parse(`${name}:${action}`));
  const covers = 'covers' in resource ? resource.covers : '';
  return scopes.length > 0 ? [{ resource: name as Resource, label, covers, scopes }] : [];
});
export type Choice = (typeof choices)[number];

/** These scopes with another one, or none, of a resource. */
export function withScope(scopes: readonly Scope[], { scopes: own }: Choice, scope: Scope | null): Scope[] {
  const others = scopes.filter((each) => !own.includes(each));
  return scope === null ? others : [...others, scope];
}
