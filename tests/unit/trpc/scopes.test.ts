import { describe, expect, it } from 'vitest';
import { allows, limitToRole, type Resource, resourceOf, Scope } from '@/server/trpc/schema';

describe('allows', () => {
  it.each<[string, string[], 'read' | 'write', Resource | null, boolean]>([
    ['read reads every resource', ['read'], 'read', 'channels', true],
    ['read writes nothing', ['read'], 'write', 'channels', false],
    ['write writes every resource', ['write'], 'write', 'on-call', true],
    ['write alone reads nothing', ['write'], 'read', 'on-call', false],
    ['a resource is read by its own scope', ['monitors:read'], 'read', 'monitors', true],
    ['a resource is not written by the scope to read it', ['monitors:read'], 'write', 'monitors', false],
    ['a resource is written by its own scope', ['monitors:write'], 'write', 'monitors', true],
    ['the scope to write a resource includes reading it', ['monitors:write'], 'read', 'monitors', true],
    ['a scope says nothing about another resource', ['monitors:write'], 'read', 'incidents', false],
    ['one of several scopes is enough', ['monitors:read', 'incidents:write'], 'write', 'incidents', true],
    ['read does not read invitations', ['read'], 'read', 'invitations', false],
    ['write does not change members', ['read', 'write'], 'write', 'members', false],
    ['read reads members', ['read'], 'read', 'members', true],
    ['members are changed by their own scope', ['members:write'], 'write', 'members', true],
    ['no scope allows nothing', [], 'read', 'monitors', false],
    ['an unknown scope allows nothing', ['monitors', 'monitors:*', '*'], 'read', 'monitors', false],
    ['any resource that can be read is enough where none is named', ['incidents:write'], 'read', null, true],
    ['a key that can read nothing is refused where no resource is named', ['write'], 'read', null, false],
  ])('%s', (_name, scopes, action, resource, expected) => {
    expect(allows(scopes, action, resource)).toBe(expected);
  });
});

describe('limitToRole', () => {
  it('leaves the scopes of members and stronger roles', () => {
    for (const role of ['owner', 'admin', 'member'] as const) {
      expect(limitToRole(['read', 'write', 'monitors:write'], role)).toEqual(['read', 'write', 'monitors:write']);
    }
  });

  it('leaves reading to viewers', () => {
    expect(limitToRole(['read', 'write'], 'viewer')).toEqual(['read']);
    expect(limitToRole(['write'], 'viewer')).toEqual([]);
    expect(limitToRole(['monitors:write', 'incidents:read'], 'viewer')).toEqual(['monitors:read', 'incidents:read']);
  });
});

describe('resourceOf', () => {
  it.each([
    ['monitors.create', 'monitors'],
    ['monitors.exclude.deep', 'monitors'],
    ['savedViews.list', 'monitors'],
    ['notifications.deliveries.list', 'channels'],
    ['teams.members.list', 'members'],
    ['teams.invitations.list', 'invitations'],
    ['teams.rename', 'team'],
    ['workers.list', null],
    ['unknown', null],
    ['', null],
  ])('%s → %s', (procedure, resource) => {
    expect(resourceOf(procedure)).toBe(resource);
  });
});

it('lists the scopes of every resource once', () => {
  expect(Scope.options).toEqual(expect.arrayContaining(['read', 'write', 'monitors:read', 'incidents:write']));
  expect(new Set(Scope.options).size).toBe(Scope.options.length);
});
