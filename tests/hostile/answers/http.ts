import type { Socket } from 'node:net';
import type { Answer, Expected, Family, Step } from '../answer';

const CRLF = '\r\n';
const head = (status: string | number, headers: string[] = []) => [`HTTP/1.1 ${status}`, ...headers, '', ''].join(CRLF);
const BODY = '{"status":"ready"}';
const GOOD = `${head('200 OK', [`content-length: ${BODY.length}`, 'content-type: application/json'])}${BODY}`;
const chunked = (text: string, size: number) => {
  const parts = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
  return `${parts.map((part) => `${part.length.toString(16)}${CRLF}${part}${CRLF}`).join('')}0${CRLF}${CRLF}`;
};
const CHUNKED = head('200 OK', ['transfer-encoding: chunked']);

const answer = (name: string, monitor: Expected, channel: Expected, ...replies: Step[]): Answer => {
  return { name, expected: { monitor, channel }, replies };
};

/** Valid but unusual answers. */
const right: Record<string, Family> = {
  plain: () => answer('a plain answer', 'up', 'up', GOOD),
  chunks: (r) => answer('small chunks', 'up', 'up', CHUNKED, chunked('ready'.repeat(200), r.between(3, 40))),
  untilEnd: () => answer('a body until the end', 'up', 'up', head('200 OK'), BODY, 'end'),
  interim: (r) => {
    const hints = head('103 Early Hints', ['link: </a.css>; rel=preload']).repeat(r.between(1, 5));
    return answer('some interim answers', 'up', 'up', hints, GOOD);
  },
  headers: (r) => {
    const many = Array.from({ length: r.between(50, 200) }, (_, index) => `x-${index}: ${'v'.repeat(r.below(40))}`);
    return answer('many headers', 'up', 'up', head('200 OK', [...many, 'content-length: 0']));
  },
  slow: () =>
    answer(
      'an answer in parts',
      'up',
      'up',
      GOOD.slice(0, 9),
      { wait: 30 },
      GOOD.slice(9, 40),
      { wait: 30 },
      GOOD.slice(40),
    ),
  long: () =>
    answer('a body of 3 MiB', 'up', 'up', head('200 OK', [`content-length: ${3 << 20}`]), 'x'.repeat(3 << 20)),
  empty: () => answer('no content', 'up', 'up', head('204 No Content')),
  more: () => answer('answers nobody asked for', 'up', 'up', GOOD.repeat(50)),
  redirect: () => {
    const replies = (socket: Socket) => {
      socket.once('data', (asked: Buffer) => {
        socket.write(asked.includes(' /next ') ? GOOD : head('302 Found', ['location: /next', 'content-length: 0']));
      });
    };
    return { name: 'a redirect to what is there', expected: { monitor: 'up', channel: 'down' }, converse: replies };
  },
};

const WRONG_HEADERS: [string[], Expected][] = [
  [['content-length: 5', 'content-length: 6'], 'down'],
  [['content-length: 18', 'transfer-encoding: chunked'], 'either'],
  [['content-length: -1'], 'down'],
  [['content-length: 0x12'], 'down'],
  [[`content-length: ${'9'.repeat(40)}`], 'down'],
  [['x-nul: a\u0000b'], 'down'],
  [['x y: a'], 'down'],
  [[': a'], 'down'],
  [['x: a', ' folded'], 'either'],
  [['x: a\rb'], 'down'],
  [['transfer-encoding: gzip, chunked, identity'], 'either'],
  [['content-encoding: gzip', 'content-length: 18'], 'either'],
];

/** Invalid, contradictory or endless answers. */
const wrong: Record<string, Family> = {
  status: (r) => {
    const status = r.pick([300, 304, 400, 401, 404, 418, 429, 500, 502, 503, 599, 999, 777]);
    return answer(`status ${status}`, 'down', 'down', head(status, ['content-length: 0']));
  },
  oddStatus: (r) => {
    const status = r.pick(['0 OK', '-1 OK', '2000 OK', 'abc', '20', '200OK', '1e3', '١٢٣ OK']);
    return answer(
      `status line ${status}`,
      'either',
      'either',
      `HTTP/1.1 ${status}${CRLF}content-length: 0${CRLF}${CRLF}`,
    );
  },
  version: (r) => {
    const line = r.pick(['HTTP/9.9 200 OK', 'HTTP/1 200 OK', 'ICY 200 OK', 'http/1.1 200 OK', 'HTTP/1.1\t200 OK']);
    return answer(`first line ${line}`, 'either', 'either', `${line}${CRLF}content-length: 0${CRLF}${CRLF}`);
  },
  headers: (r) => {
    const [lines, expected] = r.pick(WRONG_HEADERS);
    return answer(
      `headers ${JSON.stringify(lines).slice(0, 60)}`,
      expected,
      'either',
      head('200 OK', lines),
      BODY,
      'end',
    );
  },
  lineFeeds: () => answer('line feeds alone', 'either', 'either', GOOD.replaceAll('\r', ''), 'end'),
  longHeader: (r) =>
    answer('a long header', 'down', 'down', head('200 OK', [`x: ${'v'.repeat(r.between(17_000, 90_000))}`])),
  broken: (r) =>
    answer(
      'a body broken off',
      'down',
      'up',
      head('200 OK', ['content-length: 1000']),
      BODY,
      r.pick(['end', 'reset'] as const),
    ),
  chunkSize: (r) => {
    const size = r.pick(['zz', '-5', 'ffffffffffffffffff', '5 5', '', '0x5']);
    return answer(
      `a chunk of size ${size}`,
      'down',
      'either',
      CHUNKED,
      `${size}${CRLF}hello${CRLF}0${CRLF}${CRLF}`,
      'end',
    );
  },
  location: (r) => {
    const to = r.pick([
      'javascript:alert(1)',
      'http://[::1',
      'http://localhost:0/',
      '//',
      'ftp://localhost/',
      `/${'a'.repeat(9_000)}`,
      'http://a b/',
      '\u0000',
      'http://\u00ff/',
    ]);
    return answer(
      `a redirect to ${JSON.stringify(to).slice(0, 40)}`,
      'down',
      'down',
      head('302 Found', [`location: ${to}`, 'content-length: 0']),
    );
  },
  circle: () =>
    answer(
      'a redirect in a circle',
      'down',
      'down',
      head('307 Temporary Redirect', ['location: /', 'content-length: 0']),
    ),
  upgrade: () =>
    answer(
      'an upgrade nobody asked for',
      'down',
      'down',
      head('101 Switching Protocols', ['upgrade: x', 'connection: upgrade']),
      { flood: 'x' },
    ),
  nothing: (r) => answer('nothing', 'down', 'down', r.pick(['end', 'reset'] as const)),
  banner: (r) => ({
    ...answer('another protocol', 'down', 'down'),
    steps: [
      r.pick([
        'SSH-2.0-OpenSSH_9.6\r\n',
        '220 mail.test ESMTP\r\n',
        'PRI * HTTP/2.0\r\n\r\n',
        '\u0015\u0003\u0001\u0000\u0002\u0002\u0028',
        '+OK\r\n',
      ]),
    ],
  }),
  noise: (r) => ({ ...answer('random bytes', 'down', 'down'), steps: [r.bytes(r.between(1, 3_000)), 'end'] }),
  damaged: (r) =>
    answer(
      'a damaged answer',
      'either',
      'either',
      r.damage(Buffer.from(r.pick([GOOD, CHUNKED + chunked(BODY, 4)]))),
      'end',
    ),
};

/** Answers that flood the client. A channel's message counts as accepted once its status has arrived. */
const endless: Record<string, Family> = {
  interim: (r) =>
    answer('endless interim answers', 'down', 'down', {
      flood: head(r.pick(['100 Continue', '103 Early Hints', '102 Processing'])),
    }),
  headers: (r) =>
    answer('endless headers', 'down', 'down', `HTTP/1.1 200 OK${CRLF}`, {
      flood: r.pick([`a: b${CRLF}`, 'x', `a: ${'b'.repeat(900)}${CRLF}`]),
    }),
  start: (r) =>
    answer('an endless start', 'down', 'down', { flood: r.pick([CRLF, '\n', ' ', 'HTTP/1.1 200 ', '\u0000']) }),
  chunks: (r) =>
    answer('endless chunks', 'either', 'up', CHUNKED, {
      flood: r.pick([`1${CRLF}x${CRLF}`, `40${CRLF}${'x'.repeat(64)}${CRLF}`]),
    }),
  extensions: () => answer('endless chunk extensions', 'down', 'up', CHUNKED, '1;', { flood: 'a=b;' }),
  trailers: () => answer('endless trailers', 'down', 'up', CHUNKED, `0${CRLF}`, { flood: `a: b${CRLF}` }),
  body: () => answer('an endless body', 'up', 'up', head('200 OK'), { flood: 'x'.repeat(512) }),
};

/** Responses that take too long; rarely used for channels, since those wait for 10 s. */
export const slowHttp: Record<string, Family> = {
  silent: () => answer('silence', 'down', 'down', { wait: 60_000 }),
  head: () => answer('a dripping head', 'down', 'down', { drip: GOOD.slice(0, 50) }),
  body: () => answer('a dripping body', 'down', 'up', head('200 OK', ['content-length: 100000']), { drip: 'abc' }),
  chunks: () => answer('dripping chunks', 'down', 'up', CHUNKED, { drip: `1${CRLF}x${CRLF}` }),
  held: () => answer('a body that is held back', 'down', 'up', head('200 OK', ['content-length: 100']), BODY),
};

export const httpAnswers: Family[] = [right, wrong, endless].flatMap((families) => Object.values(families));
