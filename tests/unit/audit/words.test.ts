import { describe, expect, it } from 'vitest';
import { changedFields, credentialOf, sentenceOf } from '@/app/_components/audit/words';
import type { AuditEntry } from '@/server/audit/schema';

function entry(changes: Partial<AuditEntry>): AuditEntry {
  return {
    id: '01',
    at: '2026-11-21T03:00:00.000Z',
    teamId: 'team',
    actor: { kind: 'user', id: 'ada', email: 'ada@example.test', credential: 'session' },
    address: null,
    requestId: null,
    action: 'monitor.update',
    target: { type: 'monitor', id: 'm', name: 'Shop' },
    reason: null,
    before: null,
    after: null,
    ...changes,
  };
}

describe('sentenceOf', () => {
  it('uses the verb of a known action and the name of an unknown one', () => {
    expect(sentenceOf(entry({}))).toEqual({ who: 'ada@example.test', did: 'changed the monitor', what: 'Shop' });
    expect(sentenceOf(entry({ action: 'robot.paint' })).did).toBe('performed robot.paint on');
  });

  it.each([
    ['user', 'ada@example.test', 'session'],
    ['key', 'ada@example.test', 'API key uw_abc…'],
    ['system', 'Upwatch', null],
    ['anonymous', 'Someone', null],
  ] as const)('names the actor of kind %s', (kind, who, how) => {
    const known = kind === 'user' || kind === 'key';
    const credential = kind === 'key' ? 'uw_abc' : how;
    const actor = { kind, id: null, email: known ? 'ada@example.test' : null, credential };
    expect(sentenceOf(entry({ actor })).who).toBe(who);
    expect(credentialOf(entry({ actor }))).toBe(how);
  });

  it('names the new account as the actor of a sign-up', () => {
    const actor = { kind: 'anonymous' as const, id: null, email: null, credential: null };
    const target = { type: 'user', id: 'kim', name: 'kim@example.test' };
    expect(sentenceOf(entry({ actor, target, action: 'account.create' }))).toEqual({
      who: 'kim@example.test',
      did: 'signed up',
      what: null,
    });
  });

  it('lists changed fields, short values on one line', () => {
    const before = { name: 'Shop', tags: ['a'], gone: null };
    const after = { name: 'Shop 2', tags: ['a', 'b'], gone: null, big: { text: 'x'.repeat(60) } };
    expect(changedFields(entry({ before, after }))).toEqual([
      { name: 'name', before: 'Shop', after: 'Shop 2' },
      { name: 'tags', before: '["a"]', after: '["a","b"]' },
      { name: 'big', before: null, after: `{\n  "text": "${'x'.repeat(60)}"\n}` },
    ]);
    expect(changedFields(entry({}))).toEqual([]);
  });
});
