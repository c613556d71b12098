import { describe, expect, it } from 'vitest';
import { encodeHeaders, HeaderDecoder } from '@/server/monitor-types/grpc/hpack';
import { decodeHuffman } from '@/server/monitor-types/grpc/huffman';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('decodeHuffman', () => {
  it.each([
    ['f1e3 c2e5 f23a 6ba0 ab90 f4ff', 'www.example.com'],
    ['a8eb 1064 9cbf', 'no-cache'],
    ['d07a be94 1054 d444 a820 0595 040b 8166 e082 a62d 1bff', 'Mon, 21 Oct 2013 20:13:21 GMT'],
  ])('decodes %s of RFC 7541, appendix C', (code, text) => {
    expect(decodeHuffman(hex(code)).toString()).toBe(text);
  });

  it.each(['ffff ffff', 'a8eb 1064 9cbe'])('rejects %s, which has invalid padding', (code) => {
    expect(() => decodeHuffman(hex(code))).toThrow(RangeError);
  });
});

describe('HeaderDecoder', () => {
  it('decodes the requests of RFC 7541, appendix C.4, with one table', () => {
    const decoder = new HeaderDecoder();
    expect(decoder.decode(hex('8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff'))).toEqual([
      [':method', 'GET'],
      [':scheme', 'http'],
      [':path', '/'],
      [':authority', 'www.example.com'],
    ]);
    expect(decoder.decode(hex('8286 84be 5886 a8eb 1064 9cbf')).slice(3)).toEqual([
      [':authority', 'www.example.com'],
      ['cache-control', 'no-cache'],
    ]);
    expect(decoder.decode(hex('8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf')).slice(2)).toEqual([
      [':path', '/index.html'],
      [':authority', 'www.example.com'],
      ['custom-key', 'custom-value'],
    ]);
  });

  it('decodes the output of encodeHeaders', () => {
    const headers = { ':path': '/grpc.health.v1.Health/Check', 'x-long': 'v'.repeat(300) };
    expect(Object.fromEntries(new HeaderDecoder().decode(encodeHeaders(headers)))).toEqual(headers);
  });

  it('evicts the oldest field when the table is full', () => {
    const decoder = new HeaderDecoder();
    const large = (name: string) =>
      Buffer.concat([hex('40 01'), Buffer.from(name), hex('7f 81 1e'), Buffer.alloc(3_968, 0x62)]);
    decoder.decode(large('a'));
    expect(decoder.decode(Buffer.concat([large('b'), hex('be')])).map(([name]) => name)).toEqual(['b', 'b']);
    expect(() => decoder.decode(hex('bf'))).toThrow(RangeError);
  });

  it.each([
    ['index 0', '80'],
    ['an index beyond both tables', 'ffff ff7f'],
    ['an endless integer', 'ffff ffff ffff ff'],
    ['a string longer than its block', '0001 61 05 61'],
    ['a larger table than allowed', '3fe2 1f'],
  ])('rejects %s', (_name, block) => {
    expect(() => new HeaderDecoder().decode(hex(block))).toThrow(RangeError);
  });

  it('rejects fields of more than 64 KiB', () => {
    const block = Buffer.concat([hex('40 01 61 7f 81 1e'), Buffer.alloc(3_968, 0x62), Buffer.alloc(10_000, 0xbe)]);
    expect(() => new HeaderDecoder().decode(block)).toThrow('too large');
  });
});
