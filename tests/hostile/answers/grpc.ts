import { type Answer, always, type Expected, type Family, type Step } from '../answer';

/** A frame of HTTP/2 (RFC 9113 §4.1). */
function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream >>> 0, 5);
  return Buffer.concat([head, payload]);
}

const DATA = 0;
const HEADERS = 1;
const SETTINGS = 4;
const END_STREAM = 1;
const END_HEADERS = 4;

/** A literal header field without indexing (RFC 7541 §6.2.2), short enough for one byte of length. */
function field(name: string, value: string | Buffer): Buffer {
  const bytes = Buffer.from(value as string);
  return Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([bytes.length]), bytes]);
}

const settings = frame(SETTINGS, 0, 0);
const acknowledged = frame(SETTINGS, 1, 0);
const status = (code: string) => (code === '200' ? Buffer.from([0x88]) : field(':status', code));
const type = field('content-type', 'application/grpc');
const head = frame(HEADERS, END_HEADERS, 1, Buffer.concat([status('200'), type]));
const message = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, 0, bytes.length]), bytes]);
const SERVING = message(Buffer.from([0x08, 1]));
const data = (payload: Buffer, flags = 0) => frame(DATA, flags, 1, payload);
const trailers = (...fields: Buffer[]) => frame(HEADERS, END_HEADERS | END_STREAM, 1, Buffer.concat(fields));
const good = trailers(field('grpc-status', '0'));

const answer = (name: string, expected: Expected, ...replies: Step[]): Answer => ({
  name,
  expected: always(expected),
  replies: [settings, acknowledged, ...replies],
});

export const grpcAnswers: Record<string, Family> = {
  plain: () => answer('SERVING', 'up', head, data(SERVING), good),
  parts: () =>
    answer('SERVING in parts', 'up', head, data(SERVING.subarray(0, 3)), { wait: 20 }, data(SERVING.subarray(3)), good),
  padding: () =>
    answer(
      'SERVING with padding',
      'up',
      head,
      data(Buffer.concat([Buffer.from([4]), SERVING, Buffer.alloc(4)]), 8),
      good,
    ),
  between: (r) => {
    const others = [
      frame(6, 0, 0, Buffer.alloc(8)),
      frame(200, 0, 0, r.bytes(20)),
      frame(2, 0, 3, Buffer.alloc(5)),
      settings,
    ];
    const some = Array.from({ length: r.between(1, 60) }, () => r.pick(others));
    return answer('other frames between', 'up', ...some, head, ...some, data(SERVING), ...some, good);
  },
  headers: (r) => {
    const many = Array.from({ length: r.between(1, 40) }, (_, index) => field(`x-${index}`, 'v'.repeat(r.below(60))));
    return answer(
      'many headers',
      'up',
      frame(HEADERS, END_HEADERS, 1, Buffer.concat([status('200'), type, ...many])),
      data(SERVING),
      good,
    );
  },
  continued: () => {
    const part = frame(HEADERS, 0, 1, status('200'));
    return answer('headers in two frames', 'up', part, frame(9, END_HEADERS, 1, type), data(SERVING), good);
  },
  notServing: (r) =>
    answer('another health', 'down', head, data(message(Buffer.from([0x08, r.pick([0, 2, 3, 7, 127])]))), good),
  code: (r) => {
    const code = r.pick(['1', '2', '5', '12', '14', '16', '99', '-1', 'NaN', '1e309', '', '0x0', '4294967296']);
    const words = r.pick(['%00%1b[2J', '%', '%ff%fe', 'a'.repeat(120), '', '\u0080']);
    return answer(
      `status ${code}`,
      code === '' || code === '0x0' ? 'either' : 'down',
      head,
      trailers(field('grpc-status', code), field('grpc-message', words)),
    );
  },
  body: (r) => {
    const body = r.pick([
      Buffer.alloc(0),
      Buffer.from([1, 0, 0, 0, 0]),
      Buffer.from([0, 255, 255, 255, 255]),
      Buffer.from([0, 0, 0]),
      message(Buffer.from([0xff])),
      message(Buffer.from([0x0f, 1])),
      message(Buffer.from([0x0a, 0xff, 0xff, 0xff, 0x7f])),
    ]);
    return answer('a message that makes no sense', 'down', head, data(body), good);
  },
  http: (r) =>
    answer(
      'HTTP without gRPC',
      'down',
      frame(HEADERS, END_HEADERS | END_STREAM, 1, status(r.pick(['200', '404', '503']))),
    ),
  oddStatus: (r) =>
    answer(
      'an odd :status',
      'down',
      frame(
        HEADERS,
        END_HEADERS,
        1,
        Buffer.concat([field(':status', r.pick(['0', 'abc', '20', '-200', '9999', ''])), type]),
      ),
      data(SERVING),
      good,
    ),
  pseudo: () =>
    answer(
      'a header twice',
      'either',
      frame(HEADERS, END_HEADERS, 1, Buffer.concat([status('200'), status('200'), type])),
      data(SERVING),
      good,
    ),
  away: (r) =>
    answer(
      'a goodbye',
      'down',
      frame(7, 0, 0, Buffer.concat([Buffer.alloc(4), Buffer.from([0, 0, 0, r.below(14)])])),
      'end',
    ),
  reset: (r) => answer('a reset stream', 'down', frame(3, 0, 1, Buffer.from([0, 0, 0, r.below(20)]))),
  streams: (r) =>
    answer(
      'a stream nobody opened',
      'down',
      frame(
        r.pick([DATA, HEADERS]),
        END_HEADERS,
        r.pick([2, 3, 5, 0x7fffffff]),
        r.pick([Buffer.alloc(0), Buffer.from([0x88])]),
      ),
      'end',
    ),
  window: (r) =>
    answer(
      'a window that overflows',
      'down',
      frame(8, 0, r.pick([0, 1]), Buffer.from([0x7f, 255, 255, 255])),
      frame(8, 0, 0, Buffer.alloc(4)),
      'end',
    ),
  setting: (r) =>
    answer(
      'settings at their ends',
      'either',
      frame(SETTINGS, 0, 0, Buffer.from([0, r.between(1, 9), r.pick([0, 0x7f, 255]), 255, 255, r.below(256)])),
      head,
      data(SERVING),
      good,
    ),
  length: (r) =>
    answer('a frame that is too long', 'down', Buffer.from([255, 255, 255, r.below(10), 0, 0, 0, 0, 1]), {
      flood: 'x',
    }),
  table: () =>
    answer(
      'headers that refer to nothing',
      'down',
      frame(HEADERS, END_HEADERS, 1, Buffer.from([0xff, 0xff, 0xff, 0x7f])),
      'end',
    ),
  bomb: () => {
    // One large field enters the table and is then referenced repeatedly.
    const large = Buffer.concat([Buffer.from([0x40, 1, 0x61, 0x7f, 0x81, 0x1e]), Buffer.alloc(4_000, 0x62)]);
    return answer(
      'a bomb of headers',
      'either',
      frame(HEADERS, END_HEADERS, 1, Buffer.concat([status('200'), large, Buffer.alloc(10_000, 0xbe)])),
      'end',
    );
  },
  push: () =>
    answer(
      'a pushed answer',
      'down',
      frame(5, END_HEADERS, 1, Buffer.concat([Buffer.from([0, 0, 0, 2]), Buffer.from([0x82])])),
      'end',
    ),
  damaged: (r) => answer('damaged frames', 'either', r.damage(Buffer.concat([head, data(SERVING), good])), 'end'),
  noise: (r) => ({ ...answer('random bytes', 'down'), replies: [r.bytes(r.between(9, 2_000)), 'end'] }),
  http1: () => ({ ...answer('HTTP/1.1', 'down'), replies: ['HTTP/1.1 400 Bad Request\r\n\r\n', 'end'] }),
  closed: (r) => ({ ...answer('nothing', 'down'), replies: [r.pick(['end', 'reset'] as const)] }),
  frames: (r) => {
    const endless = [
      frame(6, 0, 0, Buffer.alloc(8)),
      settings,
      frame(8, 0, 0, Buffer.from([0, 0, 0, 1])),
      frame(200, 0, 0),
      frame(2, 0, 1, Buffer.alloc(5)),
      frame(10, 0, 0, Buffer.from([0, 1, 97])),
    ];
    return answer('endless frames', 'down', { flood: r.pick(endless) });
  },
  emptyData: () => answer('endless empty data', 'down', head, { flood: data(Buffer.alloc(0)) }),
  continuations: (r) =>
    answer('endless continuations', 'down', frame(HEADERS, 0, 1), {
      flood: frame(9, 0, 1, r.pick([Buffer.alloc(0), field('a', 'b')])),
    }),
  endlessData: () => answer('endless data', 'down', head, { flood: data(Buffer.alloc(1_000)) }),
};

export const slowGrpc: Record<string, Family> = {
  silent: () => ({ ...answer('silence', 'down'), replies: [{ wait: 60_000 }] }),
  held: () => answer('no end of the answer', 'down', head, data(SERVING)),
  dripping: () => answer('dripping pings', 'down', { drip: frame(6, 0, 0, Buffer.alloc(8)) }),
};
