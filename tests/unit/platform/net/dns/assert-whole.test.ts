import { encode } from 'dns-packet';
import { describe, expect, it } from 'vitest';
import { assertWhole } from '@/server/platform/net/dns/assert-whole';

/** An answer with one TXT record whose data are the last six bytes. */
const answer = () =>
  encode({
    type: 'response',
    id: 1,
    questions: [{ type: 'TXT', name: 'example.test' }],
    answers: [{ type: 'TXT', name: 'example.test', ttl: 60, data: 'ready' }],
  });

function withLength(length: number): Buffer {
  const message = answer();
  message.writeUInt16BE(length, message.length - 8);
  return message;
}

describe('assertWhole', () => {
  it('accepts a message whose records end where it ends', () => {
    expect(() => assertWhole(answer())).not.toThrow();
    expect(() => assertWhole(withLength(6))).not.toThrow();
  });

  it.each([7, 255, 65_535])('rejects a record of %i bytes in a message that holds six', (length) => {
    expect(() => assertWhole(withLength(length))).toThrow(RangeError);
  });

  it('rejects a chain of pointers, wherever it stands', () => {
    const chain = Buffer.alloc(200);
    const start = answer().length - 6;
    for (let at = 0; at < chain.length; at += 2) chain.writeUInt16BE(0xc000 + (at === 0 ? 12 : start + at - 2), at);
    const message = Buffer.concat([answer().subarray(0, start), chain]);
    message.writeUInt16BE(chain.length, start - 2);
    expect(() => assertWhole(message)).toThrow('chain of pointers');
  });

  it('rejects more than 1,000 records before they are decoded', () => {
    const records = (count: number) =>
      encode({
        type: 'response',
        questions: [{ type: 'A', name: 'a.test' }],
        answers: Array.from({ length: count }, () => ({ type: 'A' as const, name: 'a.test', data: '192.0.2.1' })),
      });
    expect(() => assertWhole(records(1_000))).not.toThrow();
    expect(() => assertWhole(records(1_001))).toThrow('too many records');
  });

  it('rejects a message that ends within a name', () => {
    expect(() => assertWhole(answer().subarray(0, 20))).toThrow(RangeError);
  });
});
