import fc from 'fast-check';

/** A request as sent over the wire. */
export interface RawRequest {
  text: string;
  method: string;
  path: string;
  /** Whether the request is as long as its head says; otherwise a response is not required. */
  isComplete: boolean;
}

const PATHS = [
  ...['/', '/login', '/signup', '/docs', '/monitors', '/monitors/x', '/incidents/x', '/team', '/settings/account'],
  ...['/instance', '/invite/x', '/status/x', '/status/x/logo', '/status/x/badge.svg', '/status/x/feed.atom', '/nope'],
  ...['/dashboard', '/dashboard/', '/dashboard/me', '/dashboard/monitors', '/admin/users', '/auth/login', '/auth'],
  ...['/api', '/api/', '/api/v1', '/api/v1/monitors', '/api/v1/openapi.json', '/api/v1//monitors', '/API/v1/monitors'],
  ...['/api/auth/session', '/api/auth/csrf', '/api/auth/callback/credentials', '/api/auth/signin', '/api/auth/_log'],
  ...['/api/trpc/monitors.list', '/api/trpc/x,y', '/api/heartbeat/x', '/api/health', '/api/ready', '/api/metrics'],
  ...[
    '/api/stripe/webhook',
    '/api/callbacks/slack/x',
    '/icon.svg',
    '/favicon.ico',
    '/_next/static/x.js',
    '/_next/image',
    '/_next/data/x.json',
  ],
  ...[
    '/_error',
    '/404',
    '/500',
    '/_not-found',
    '/%61pi/v1/monitors',
    '/api/v1/%',
    '/api/v1/%ff',
    '//',
    '/\\',
    '/..',
    '*',
  ],
];
const QUERIES = [
  ...['?', '?_rsc', '?_rsc=x', '?_rsc=&_rsc=', '?callbackUrl=x', '?callbackUrl=//', '?callbackUrl=/a&callbackUrl=%'],
  ...['?limit=1', '?limit=1&limit=2', '?a[]=%', '?x=%00', '?__nextDefaultLocale=x', '?nxtPid=1', '?batch=1&input=%7B'],
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const ODD_METHODS = ['TRACE', 'CONNECT', 'PURGE', 'PROPFIND', 'get', 'GETX', ''];
const NAMES = [
  ...[
    'rsc',
    'next-router-state-tree',
    'next-router-prefetch',
    'next-router-segment-prefetch',
    'next-url',
    'next-action',
  ],
  ...['next-hmr-refresh', 'x-nextjs-data', 'x-nextjs-request-id', 'x-next-revalidated-tags', 'x-matched-path'],
  ...[
    'x-middleware-rewrite',
    'x-middleware-next',
    'x-middleware-skip',
    'x-middleware-subrequest',
    'x-middleware-prefetch',
  ],
  ...['x-invoke-path', 'x-invoke-status', 'x-invoke-error', 'x-now-route-matches', 'x-prerender-revalidate'],
  ...['x-http-method-override', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-for', 'forwarded', 'x-real-ip'],
  ...['x-upwatch-address', 'x-request-id', 'accept', 'accept-encoding', 'accept-language', 'content-type', 'origin'],
  ...['content-encoding', 'cookie', 'authorization', 'if-none-match', 'range', 'expect', 'upgrade', 'te', 'trailer'],
];
const TREE = encodeURIComponent(JSON.stringify(['', { children: ['__PAGE__', {}] }, null, null]));
const VALUES = [
  ...['', '0', '1', '2', '60', '/', '/_tree', '//evil', 'http://evil.example/', '[]', '{}', 'null', '%', 'a, b', '*/*'],
  ...[TREE, '["",{"__proto__":["x",{}]}]', 'x'.repeat(300), 'é', '\u0001', '100-continue', 'websocket', 'h2c', 'gzip'],
  ...['application/json', 'text/plain', 'multipart/form-data', 'multipart/form-data; boundary=x', 'text/x-component'],
  ...['application/x-www-form-urlencoded', 'Bearer x', 'Basic x', 'upwatch.callback-url=x', 'upwatch.session=x.y.z'],
];
const HOSTS = ['evil.example', '[::1]', '[', 'a b', 'a,b', 'x@y', '%', '', 'localhost:99999', 'a/b', '<x>', 'é', '-'];
const BODIES = ['{}', '[]', '{', 'null', 'a=b', 'csrfToken=x&json=true', '--x\r\n\r\n', '\u0000', '"'.repeat(500)];
const VERSIONS = ['HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'HTTP/1', 'http/1.1', ''];

/** Mostly the first, sometimes one of the others. */
const mostly = <Value>(usual: fc.Arbitrary<Value>, unusual: fc.Arbitrary<Value>, weight = 12) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: unusual });

const target = fc
  .tuple(
    mostly(fc.constantFrom(...PATHS), fc.webPath(), 6),
    fc.option(fc.constantFrom(...QUERIES), { nil: '', freq: 2 }),
    mostly(
      fc.constant(''),
      fc.constantFrom('http://evil.example', 'https://a:b@evil.example', 'javascript:', ' ', '\u00e9'),
    ),
  )
  .map(([path, query, before]) => ({ path, text: before + path + query }));

/** How the body's length is declared, and whether that is true. */
const framing = fc.constantFrom(
  'none',
  'length',
  'length',
  'length',
  'chunked',
  'short',
  'long',
  'negative',
  'twice',
  'both',
  'odd',
);

function framed(kind: string, body: string): { lines: string[]; body: string; isComplete: boolean } {
  const length = Buffer.byteLength(body);
  const chunked = `${length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  switch (kind) {
    case 'none':
      return { lines: [], body: '', isComplete: true };
    case 'chunked':
      return { lines: ['transfer-encoding: chunked'], body: chunked, isComplete: true };
    case 'short':
      return { lines: [`content-length: ${Math.max(0, length - 1)}`], body, isComplete: true };
    case 'long':
      return { lines: [`content-length: ${length + 5}`], body, isComplete: false };
    case 'negative':
      return { lines: ['content-length: -1'], body, isComplete: true };
    case 'twice':
      return { lines: [`content-length: ${length}`, 'content-length: 0'], body, isComplete: true };
    case 'both':
      return { lines: [`content-length: ${length}`, 'transfer-encoding: chunked'], body: chunked, isComplete: true };
    case 'odd':
      return { lines: ['transfer-encoding: gzip, x'], body, isComplete: true };
    default:
      return { lines: [`content-length: ${length}`], body, isComplete: true };
  }
}

/** Requests outside the document: odd methods, targets, hosts, versions, framing and headers, including Next's own. */
export function rawRequests(host: string): fc.Arbitrary<RawRequest> {
  return fc
    .record({
      method: mostly(fc.constantFrom(...METHODS), fc.constantFrom(...ODD_METHODS), 20),
      target,
      version: mostly(fc.constant('HTTP/1.1'), fc.constantFrom(...VERSIONS), 25),
      hosts: mostly<string[]>(fc.constant([host]), fc.array(fc.constantFrom(host, ...HOSTS), { maxLength: 2 }), 10),
      headers: fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...VALUES)), { maxLength: 5 }),
      kind: framing,
      body: fc.constantFrom(...BODIES),
    })
    .map(({ method, target: { path, text: at }, version, hosts, headers, kind, body }) => {
      const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method);
      const { lines, body: sent, isComplete } = framed(hasBody ? kind : 'none', body);
      const head = [
        `${method} ${at} ${version}`,
        ...hosts.map((name) => `host: ${name}`),
        ...headers.map(([name, value]) => `${name}: ${value}`),
        ...lines,
        'connection: close',
      ];
      return { text: `${head.join('\r\n')}\r\n\r\n${sent}`, method, path, isComplete };
    });
}
