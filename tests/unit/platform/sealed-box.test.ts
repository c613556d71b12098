import { describe, expect, it } from 'vitest';
import { BoxKey, sealFor } from '@/server/platform/sealed-box';

describe('sealed boxes', () => {
  it('can be opened by the holder of the key, and by nobody else', () => {
    const [key, other] = [new BoxKey(), new BoxKey()];
    const box = sealFor(key.publicKey, 'swordfish – 🐟');
    expect(key.open(box)).toBe('swordfish – 🐟');
    expect(() => other.open(box)).toThrow();
    expect(JSON.stringify(box)).not.toContain('swordfish');
  });

  it('cannot be altered', () => {
    const key = new BoxKey();
    const { key: ephemeral, text } = sealFor(key.publicKey, 'swordfish');
    const altered = `${text[0] === 'A' ? 'B' : 'A'}${text.slice(1)}`;
    expect(() => key.open({ key: ephemeral, text: altered })).toThrow();
    expect(() => key.open({ key: sealFor(key.publicKey, 'x').key, text })).toThrow();
    expect(() => key.open({ key: ephemeral, text: 'AAAA' })).toThrow('Not a sealed box.');
  });

  it('differ for equal texts', () => {
    const { publicKey } = new BoxKey();
    expect(sealFor(publicKey, 'swordfish').text).not.toBe(sealFor(publicKey, 'swordfish').text);
  });

  it.each(['', 'AAAA', 'A'.repeat(44)])('rejects %j as a public key', (key) => {
    expect(() => sealFor(key, 'swordfish')).toThrow();
  });
});
