import { decode, encode } from 'dns-packet';
import { describe, expect, it } from 'vitest';
import { prepareMessage } from '@/server/platform/net/dns/prepare-message';

const A = 1;
const TXT = 16;

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

describe('prepareMessage', () => {
  it('accepts a message whose records end where it ends', () => {
    expect(() => prepareMessage(answer(), TXT)).not.toThrow();
    expect(() => prepareMessage(withLength(6), TXT)).not.toThrow();
  });

  it.each([7, 255, 65_535])('rejects a record of %i bytes in a message that holds six', (length) => {
    expect(() => prepareMessage(withLength(length), TXT)).toThrow(RangeError);
  });

  it('rejects a chain of pointers, wherever it stands', () => {
    const chain = Buffer.alloc(200);
    const start = answer().length - 6;
    for (let at = 0; at < chain.length; at += 2) chain.writeUInt16BE(0xc000 + (at === 0 ? 12 : start + at - 2), at);
    const message = Buffer.concat([answer().subarray(0, start), chain]);
    message.writeUInt16BE(chain.length, start - 2);
    expect(() => prepareMessage(message, TXT)).toThrow('chain of pointers');
  });

  it('rejects more than 1,000 records before they are decoded', () => {
    const records = (count: number) =>
      encode({
        type: 'response',
        questions: [{ type: 'A', name: 'a.test' }],
        answers: Array.from({ length: count }, () => ({ type: 'A' as const, name: 'a.test', data: '192.0.2.1' })),
      });
    expect(() => prepareMessage(records(1_000), A)).not.toThrow();
    expect(() => prepareMessage(records(1_001), A)).toThrow('too many records');
  });

  it('rejects more than 1,000 names and texts in the records that are decoded', () => {
    const [name, SOA, NS] = ['a.test', 6, 2];
    const questions = [{ type: 'A' as const, name }];
    const soa = { mname: name, rname: name, serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 };
    const times = <Each>(count: number, each: Each) => Array.from({ length: count }, () => each);
    const soas = (count: number) =>
      encode({ type: 'response', questions, answers: times(count, { type: 'SOA', name, data: soa }) });
    expect(() => prepareMessage(soas(333), SOA)).not.toThrow();
    expect(() => prepareMessage(soas(334), SOA)).toThrow('too many names');
    // Of another type, they are not decoded.
    expect(() => prepareMessage(soas(334), NS)).not.toThrow();
    const texts = (count: number) =>
      encode({ type: 'response', questions, answers: [{ type: 'TXT', name, data: times(count, '') }] });
    expect(() => prepareMessage(texts(999), TXT)).not.toThrow();
    expect(() => prepareMessage(texts(1_000), TXT)).toThrow('too many names');
  });

  it('rejects a message that ends within a name', () => {
    expect(() => prepareMessage(answer().subarray(0, 20), TXT)).toThrow(RangeError);
  });

  it('rejects a message with several questions before they are decoded', () => {
    const asked = (count: number) =>
      encode({ type: 'response', questions: Array.from({ length: count }, () => ({ type: 'TXT', name: 'a.test' })) });
    expect(() => prepareMessage(asked(0), TXT)).not.toThrow();
    expect(() => prepareMessage(asked(1), TXT)).not.toThrow();
    expect(() => prepareMessage(asked(2), TXT)).toThrow('several questions');
  });

  it('hides records of other types, whose bitmaps the decoder would expand, and the sections after the answers', () => {
    const name = 'a.test';
    const message = encode({
      type: 'response',
      questions: [{ type: 'TXT', name }],
      answers: [
        { type: 'CNAME', name, data: 'b.test' },
        { type: 'NSEC', name, data: { nextDomain: 'c.test', rrtypes: ['A', 'TXT'] } } as never,
        { type: 'TXT', name: 'b.test', data: 'ready' },
      ],
      authorities: [{ type: 'NS', name, data: 'd.test' }],
      additionals: [{ type: 'A', name: 'd.test', data: '192.0.2.1' }],
    });
    prepareMessage(message, TXT);
    const { answers = [], authorities, additionals } = decode(message);
    expect(answers.map(({ type }) => type)).toEqual(['CNAME', 'UNKNOWN_65534', 'TXT']);
    expect([authorities, additionals]).toEqual([[], []]);
    const [, hidden] = answers;
    expect(hidden && 'data' in hidden && Buffer.isBuffer(hidden.data)).toBe(true);
  });
});
