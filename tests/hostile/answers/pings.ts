import type { Random } from '../random';

/** Bodies that jobs send with their pings: the first 10 KiB of anything. */
export function pingBody(random: Random): Buffer {
  return random.pick([
    () => Buffer.from('done'),
    () => Buffer.from('a\u0000b\u001b[2J\u001b]0;x\u0007\u202e\r\n\tline'),
    () => random.bytes(random.between(1, 20_000)),
    () => Buffer.alloc(random.between(1, 20_000)),
    () => Buffer.from('\ud83d\ude00'.repeat(3_000)).subarray(0, 10_241),
    () => Buffer.from([0xed, 0xa0, 0x80, 0xff, 0xfe, 0xef, 0xbf, 0xbf]),
    () => Buffer.from(JSON.stringify({ text: '\u0000'.repeat(500) })),
  ])();
}
