import { type Answer, always, type Expected, type Family } from '../answer';

const u16 = (...values: number[]) => Buffer.from(values.flatMap((value) => [(value >> 8) & 0xff, value & 0xff]));
const TXT = 16;

/** The end of the question. The product does not compress names in its queries. */
function questionOf(query: Buffer): Buffer {
  let at = 12;
  while (at < query.length && query[at] !== 0) at += (query[at] ?? 0) + 1;
  return query.subarray(12, at + 5);
}

interface Parts {
  id?: Buffer;
  flags?: number;
  counts?: [number, number, number, number];
  question?: Buffer;
  records?: Buffer[];
}

function packet(query: Buffer, { records = [], ...parts }: Parts): Buffer {
  const { id = query.subarray(0, 2), flags = 0x8180, question = questionOf(query) } = parts;
  const counts = parts.counts ?? [1, records.length, 0, 0];
  return Buffer.concat([id, u16(flags, ...counts), question, ...records]);
}

const NAME = u16(0xc00c);

function record(data: Buffer, { type = TXT, name = NAME, length = data.length, ttl = 60 } = {}): Buffer {
  return Buffer.concat([name, u16(type, 1, ttl >>> 16, ttl & 0xffff, length), data]);
}

const text = (...parts: (string | Buffer)[]) =>
  Buffer.concat(
    parts.map((part) =>
      Buffer.concat([Buffer.from([Buffer.from(part as string).length]), Buffer.from(part as string)]),
    ),
  );
const READY = record(text('ready'));

const answer = (
  name: string,
  expected: Expected,
  make: (query: Buffer) => Parts | Buffer | (Parts | Buffer)[],
): Answer => ({
  name,
  expected: always(expected),
  datagrams: (query) => [make(query)].flat().map((each) => (Buffer.isBuffer(each) ? each : packet(query, each))),
});

/** The monitor's config: it queries the TXT records of a name, one of which must be "ready". */
export const dnsAnswers: Record<string, Family> = {
  plain: () => answer('the record', 'up', () => ({ records: [READY] })),
  parts: () => answer('a record in parts', 'up', () => ({ records: [record(text('re', '', 'ady'))] })),
  others: (r) =>
    answer('other records beside', 'up', () => ({
      records: [...Array<Buffer>(r.between(1, 20)).fill(record(text('v=spf1 -all'))), READY],
    })),
  twice: () => answer('the answer twice', 'up', () => [{ records: [READY] }, { records: [READY] }]),
  otherHost: (r) =>
    answer('answers to other questions before', 'either', () => [
      { id: r.bytes(2), records: [record(text('other'))] },
      { records: [READY] },
    ]),
  other: (r) =>
    answer('another record', 'down', () => ({
      records: [record(text(r.pick(['no', '', '\u0000\u001b[2J', Buffer.from([0xff, 0xfe])])))],
    })),
  type: (r) =>
    answer('a record of another type', 'down', () => ({
      records: [record(r.bytes(4), { type: r.pick([1, 28, 257, 65_535]) })],
    })),
  code: (r) => {
    const code = r.between(1, 15);
    return answer(`response code ${code}`, 'down', () => ({ flags: 0x8180 | code }));
  },
  empty: () => answer('no record', 'down', () => ({})),
  loop: () =>
    answer('a name that refers to itself', 'down', () => ({
      records: [record(text('ready'), { name: u16(0xc01f) })],
      counts: [1, 1, 0, 0],
      question: Buffer.concat([u16(0xc00c), u16(TXT, 1)]),
    })),
  counts: (r) =>
    answer('counts of what is not there', 'either', () => ({
      records: [READY],
      counts: [r.pick([0, 1, 65_535]), r.pick([2, 65_535]), r.pick([0, 65_535]), 0],
    })),
  length: (r) =>
    answer('a record longer than the packet', 'down', () => ({
      records: [record(text('ready'), { length: r.pick([0, 1, 5, 255, 65_535]) })],
    })),
  inner: () =>
    answer('a text longer than its record', 'down', () => ({
      records: [record(Buffer.concat([Buffer.from([255]), Buffer.from('ready')]))],
    })),
  truncated: () => answer('a truncated answer, and none over TCP', 'down', () => ({ flags: 0x8380 })),
  question: (r) =>
    answer('another question', 'either', () => ({
      question: Buffer.concat([text('other'), Buffer.from([0]), u16(r.pick([1, TXT]), 1)]),
      records: [READY],
    })),
  request: () => answer('the question sent back', 'down', (query) => query),
  cut: (r) =>
    answer('an answer cut short', 'either', (query) =>
      packet(query, { records: [READY] }).subarray(0, r.between(0, 40)),
    ),
  damaged: (r) => answer('a damaged answer', 'either', (query) => r.damage(packet(query, { records: [READY] }))),
  noise: (r) => answer('random bytes', 'down', () => r.bytes(r.between(1, 500))),
  many: (r) =>
    answer('a thousand answers at once', 'either', () =>
      Array.from({ length: 1_000 }, () => ({ id: r.bytes(2), records: [READY] })),
    ),
};

export const slowDns: Record<string, Family> = {
  silent: () => answer('silence', 'down', () => []),
};
