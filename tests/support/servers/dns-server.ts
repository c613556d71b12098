import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

const TYPES = { A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15, TXT: 16, AAAA: 28, SRV: 33, CAA: 257 } as const;
type Type = keyof typeof TYPES;
const LONGEST_DATAGRAM = 512;

/** The answer to a query: records, a response code (2 SERVFAIL, 3 NXDOMAIN, 5 REFUSED), or none. */
export type Reply = string[] | number | 'silence' | 'nonsense';

const u16 = (...values: number[]) => Buffer.from(values.flatMap((value) => [value >> 8, value & 0xff]));
const u32 = (...values: number[]) => Buffer.concat(values.map((value) => u16(value >>> 16, value & 0xffff)));
const labelled = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);

function nameBytes(name: string): Buffer {
  return Buffer.concat([...name.split('.').filter(Boolean).map(labelled), Buffer.from([0])]);
}

/** Parses a record's data from its zone file text. */
function dataOf(type: Type, text: string): Buffer {
  const [a = '', b = '', c = '', d = '', ...rest] = text.split(' ');
  switch (type) {
    case 'A':
      return Buffer.from(text.split('.').map(Number));
    case 'AAAA':
      return u16(...text.split(':').map((group) => Number.parseInt(group, 16)));
    case 'NS':
    case 'CNAME':
    case 'PTR':
      return nameBytes(text);
    case 'MX':
      return Buffer.concat([u16(Number(a)), nameBytes(b)]);
    case 'SRV':
      return Buffer.concat([u16(Number(a), Number(b), Number(c)), nameBytes(d)]);
    case 'TXT':
      return Buffer.concat(text.split('|').map(labelled));
    case 'SOA':
      return Buffer.concat([nameBytes(a), nameBytes(b), u32(...[c, d, ...rest].map(Number))]);
    case 'CAA':
      return Buffer.concat([Buffer.from([Number(a)]), labelled(b), Buffer.from(c)]);
  }
}

function questionOf(query: Buffer): { name: string; type: Type | null; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const code = query.readUInt16BE(at + 1);
  const type = (Object.keys(TYPES) as Type[]).find((each) => TYPES[each] === code) ?? null;
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 };
}

export interface DnsServer {
  port: number;
  /** The queries received, as "A example.test udp". */
  asked: string[];
  close(): Promise<void>;
}

export interface DnsServerOptions {
  /** The TTL of its records, in seconds. */
  ttlSeconds?: number;
  /** The port; a free one by default. */
  port?: number;
  /** The target of an alias: its records are returned. */
  alias?: string | ((type: string, name: string) => string | undefined);
  /** The question that its responses contain instead of the query's. */
  question?: string;
}

/** A real name server on 127.0.0.1, over UDP and TCP (RFC 1035). Responses too large for a datagram are truncated and returned over TCP. */
export async function dnsServer(
  reply: (type: string, name: string) => Reply | Promise<Reply>,
  { ttlSeconds = 60, port: wanted = 0, alias, question }: DnsServerOptions = {},
): Promise<DnsServer> {
  const asked: string[] = [];
  let isClosed = false;

  async function respond(query: Buffer, over: 'udp' | 'tcp'): Promise<Buffer | null> {
    const { name, type, end } = questionOf(query);
    asked.push(`${type} ${name} ${over}`);
    const said = await reply(type ?? '', name);
    if (said === 'silence') return null;
    if (said === 'nonsense') return Buffer.concat([query.subarray(0, 2), Buffer.from([0x81, 0x80, 0, 9, 0, 9])]);
    const records = typeof said === 'number' || !type ? [] : said;
    const record = (owner: Buffer, kind: Type, text: string) => {
      const data = dataOf(kind, text);
      return Buffer.concat([owner, u16(TYPES[kind], 1), u32(ttlSeconds), u16(data.length), data]);
    };
    const asking = u16(0xc00c);
    const real = typeof alias === 'function' ? alias(type ?? '', name) : alias;
    const owner = real === undefined ? asking : nameBytes(real);
    const answers = [
      ...(real === undefined ? [] : [record(asking, 'CNAME', real)]),
      ...records.map((text) => record(owner, type as Type, text)),
    ];
    const code = typeof said === 'number' ? said : 0;
    const make = (truncated: boolean) =>
      Buffer.concat([
        query.subarray(0, 2),
        u16((truncated ? 0x8380 : 0x8180) | code, 1, truncated ? 0 : answers.length, 0, 0),
        question === undefined
          ? query.subarray(12, end)
          : Buffer.concat([nameBytes(question), query.subarray(end - 4, end)]),
        ...(truncated ? [] : answers),
      ]);
    const whole = make(false);
    return over === 'udp' && whole.length > LONGEST_DATAGRAM ? make(true) : whole;
  }

  const stream = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', async (data) => {
      const answer = await respond(data.subarray(2), 'tcp');
      if (answer) socket.end(Buffer.concat([u16(answer.length), answer]));
    });
  });
  stream.listen(wanted, '127.0.0.1');
  await once(stream, 'listening');
  const { port } = stream.address() as AddressInfo;
  const datagrams = createSocket('udp4');
  datagrams.on('message', async (query, { port: from, address }) => {
    const answer = await respond(query, 'udp');
    if (answer && !isClosed) datagrams.send(answer, from, address);
  });
  datagrams.bind(port, '127.0.0.1');
  await once(datagrams, 'listening');
  return {
    port,
    asked,
    async close() {
      isClosed = true;
      stream.close();
      datagrams.close();
      await Promise.all([once(stream, 'close'), once(datagrams, 'close')]);
    },
  };
}
