import { describe, expect, it } from 'vitest';
import { createApiKey } from '@/server/api-keys/create-api-key';
import { deleteApiKey } from '@/server/api-keys/delete-api-key';
import { listApiKeys } from '@/server/api-keys/list-api-keys';
import { CreateApiKeyInput } from '@/server/api-keys/schema';
import { db } from '@/server/platform/db';
import type { Plan, Role } from '@/server/platform/generated/prisma/enums';
import { switchTeam } from '@/server/teams/switch-team';
import type { TeamContext } from '@/server/trpc/contexts';
import { resolveActor } from '@/server/trpc/resolve-actor';
import { asPerson, codeOf, inTeam, join, newPerson, raced } from '../auth/people';

const input: CreateApiKeyInput = { name: 'script', scopes: ['read'] };
const page = { limit: 50 };

async function owner(plan: Plan = 'self_hosted'): Promise<TeamContext> {
  const person = await newPerson();
  await db.team.update({ where: { id: person.teamId ?? '' }, data: { plan } });
  return inTeam(person);
}

async function colleague(of: TeamContext, role: Role): Promise<TeamContext> {
  const person = await newPerson();
  await join(of.team.id, person, role);
  const { accessToken } = await switchTeam({ ctx: await asPerson(person), input: { teamId: of.team.id } });
  return inTeam({ accessToken: accessToken ?? '' });
}

const names = async (ctx: TeamContext) => (await listApiKeys({ ctx, input: page })).apiKeys.map(({ name }) => name);

describe('creating an API key', () => {
  it('shows its secret once and stores its hash', async () => {
    const ctx = await owner();
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const { apiKey, secret } = await createApiKey({ ctx, input: { ...input, scopes: ['write', 'read'], expiresAt } });
    expect(secret).toMatch(/^uw_[\w-]{43}$/);
    expect(apiKey).toEqual({
      id: expect.any(String),
      name: 'script',
      scopes: ['read', 'write'],
      prefix: secret.slice(0, 9),
      expiresAt,
      lastUsedAt: null,
      allowedNetworks: [],
      createdAt: expect.any(String),
      createdBy: { id: ctx.user.id, name: null, email: ctx.user.email },
    });
    const listed = await listApiKeys({ ctx, input: page });
    expect(listed).toEqual({ apiKeys: [apiKey], nextCursor: null });
    const rows = JSON.stringify(await db.apiKey.findMany({ where: { teamId: ctx.team.id } }));
    expect(rows).not.toContain(secret);
  });

  it.each([
    ['no name', { name: '  ' }],
    ['no scope', { scopes: [] }],
    ['an unknown scope', { scopes: ['admin'] }],
    ['an unknown resource', { scopes: ['monitor:read'] }],
    ['more networks than it stores', { allowedNetworks: Array(21).fill('192.0.2.1') }],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00.000Z' }],
    ['an expiry in the year 10000', { expiresAt: '9999-12-31T23:59:59-14:00' }],
    ['an expiry that is not a time', { expiresAt: 'tomorrow' }],
  ])('rejects %s', (_name, change) => {
    expect(CreateApiKeyInput.safeParse({ ...input, ...change }).success).toBe(false);
  });

  it('stores scopes of resources once, in the order of their table', async () => {
    const ctx = await owner();
    const scopes = ['incidents:read', 'monitors:write', 'read', 'monitors:write'] as const;
    const { apiKey } = await createApiKey({ ctx, input: { ...input, scopes: [...scopes] } });
    expect(apiKey.scopes).toEqual(['read', 'monitors:write', 'incidents:read']);
    expect((await listApiKeys({ ctx, input: page })).apiKeys).toEqual([apiKey]);
  });

  it.each<[string, Partial<CreateApiKeyInput>, boolean]>([
    ['read and write', { scopes: ['read', 'write'] }, true],
    ['a scope of a resource', { scopes: ['read', 'monitors:write'] }, false],
    ['networks', { scopes: ['read'], allowedNetworks: ['192.0.2.1'] }, false],
  ])('stores %s so that the former version enforces it or refuses the key', async (_name, change, isKnown) => {
    const ctx = await owner();
    const { apiKey } = await createApiKey({ ctx, input: { ...input, ...change } });
    const row = await db.apiKey.findUniqueOrThrow({ where: { id: apiKey.id } });
    expect(row.scopes).toEqual(isKnown ? change.scopes : []);
    expect(apiKey.scopes).toEqual(change.scopes);
  });

  it('stores networks in CIDR notation, each once', async () => {
    const ctx = await owner();
    const allowedNetworks = ['192.0.2.7', '192.0.2.7/32', '10.0.0.0/8', '::ffff:10.1.0.0/112', '2001:DB8::/32'];
    const { apiKey } = await createApiKey({ ctx, input: { ...input, allowedNetworks } });
    expect(apiKey.allowedNetworks).toEqual(['192.0.2.7/32', '10.0.0.0/8', '10.1.0.0/16', '2001:db8::/32']);
  });

  it.each(['office', 'private', '192.0.2.0/33', '192.0.2', '', 'fe80::1%eth0', '192.0.2.1/24/8'])(
    'rejects the network "%s" and names it',
    async (network) => {
      const ctx = await owner();
      const creating = createApiKey({ ctx, input: { ...input, allowedNetworks: ['192.0.2.1', network] } });
      await expect(creating).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        issues: [{ path: 'allowedNetworks.1' }],
      });
      expect(await names(ctx)).toEqual([]);
    },
  );

  it('enforces the limit, also for concurrent requests', async () => {
    const ctx = await owner('free');
    await createApiKey({ ctx, input });
    const codes = await raced(
      (tx) => tx.$queryRaw`select 1 from teams where id = ${ctx.team.id} for update`,
      Array.from({ length: 5 }, () => () => codeOf(createApiKey({ ctx, input }))),
    );
    expect(codes.sort()).toEqual([...Array(4).fill('PLAN_LIMIT_REACHED'), 'it succeeded']);
    expect(await names(ctx)).toHaveLength(2);
  });
});

describe('listing and deleting API keys', () => {
  it('shows members their own keys, and admins all keys', async () => {
    const boss = await owner();
    const member = await colleague(boss, 'member');
    const admin = await colleague(boss, 'admin');
    const make = async (ctx: TeamContext, name: string) =>
      (await createApiKey({ ctx, input: { ...input, name } })).apiKey;
    const ofBoss = await make(boss, "the boss's");
    const ofMember = await make(member, "the member's");
    expect(await names(member)).toEqual(["the member's"]);
    expect(await names(admin)).toEqual(["the member's", "the boss's"]);
    expect(await codeOf(deleteApiKey({ ctx: member, input: { id: ofBoss.id } }))).toBe('NOT_FOUND');
    expect(await deleteApiKey({ ctx: admin, input: { id: ofMember.id } })).toEqual({ ok: true });
    expect(await codeOf(deleteApiKey({ ctx: member, input: { id: ofMember.id } }))).toBe('NOT_FOUND');
    expect(await names(boss)).toEqual(["the boss's"]);
  });

  it('is limited to the team', async () => {
    const [one, other] = [await owner(), await owner()];
    const { apiKey } = await createApiKey({ ctx: one, input });
    expect(await names(other)).toEqual([]);
    expect(await codeOf(deleteApiKey({ ctx: other, input: { id: apiKey.id } }))).toBe('NOT_FOUND');
    expect(await names(one)).toEqual(['script']);
  });

  it('rejects a deleted key from then on', async () => {
    const ctx = await owner();
    const { apiKey, secret } = await createApiKey({ ctx, input });
    expect(await resolveActor({ kind: 'bearer', token: secret })).toMatchObject({ kind: 'key' });
    await deleteApiKey({ ctx, input: { id: apiKey.id } });
    expect(await codeOf(resolveActor({ kind: 'bearer', token: secret }))).toBe('UNAUTHENTICATED');
  });

  it('returns pages, newest first', async () => {
    const ctx = await owner();
    for (const name of ['a', 'b', 'c']) await createApiKey({ ctx, input: { ...input, name } });
    const first = await listApiKeys({ ctx, input: { limit: 2 } });
    expect(first.apiKeys.map(({ name }) => name)).toEqual(['c', 'b']);
    const second = await listApiKeys({ ctx, input: { limit: 2, cursor: first.nextCursor ?? '' } });
    expect(second).toMatchObject({ apiKeys: [{ name: 'a' }], nextCursor: null });
  });
});
