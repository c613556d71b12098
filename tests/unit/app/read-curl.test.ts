import { describe, expect, it } from 'vitest';
import { curlFields } from '@/app/(dashboard)/(team)/monitors/_components/form/monitor-fields';
import { isCurl, readCurl } from '@/app/(dashboard)/(team)/monitors/_components/form/read-curl';
import { shellWords } from '@/app/(dashboard)/(team)/monitors/_components/form/shell-words';
import { HttpConfig } from '@/server/monitor-types/schema';

/** The request of a command that is understood. Its config must be valid, unless it says otherwise. */
function read(command: string) {
  const request = readCurl(command);
  if ('fault' in request) throw new Error(request.fault);
  expect(HttpConfig.safeParse(request.config).error?.issues).toBeUndefined();
  return request;
}
const faultOf = (command: string) => {
  const request = readCurl(command);
  return 'fault' in request ? request.fault : null;
};

describe('shellWords', () => {
  it.each([
    [`curl 'it'"'"'s' "a \\"b\\" \\x"`, ['curl', "it's", 'a "b" \\x']],
    ['curl a\\ b \\\n  c\\\r\n d', ['curl', 'a b', 'c', 'd']],
    [`curl $'tab\\tquote\\'s \\u00e9\\x21' ''`, ['curl', "tab\tquote's é!", '']],
  ])('reads quotes and escapes: %j', (text, words) => {
    expect(shellWords(text)).toMatchObject({ words, isCut: false, isOpen: false });
  });

  it('reads the first command only', () => {
    for (const rest of ['| jq .', '&& echo', '; ls', '> file', '\ncurl other']) {
      expect(shellWords(`curl x ${rest}`)).toMatchObject({ words: ['curl', 'x'], isCut: true });
    }
  });

  it('takes time linear in the text', () => {
    const started = performance.now();
    shellWords(`curl '${'\\'.repeat(200_000)}`);
    shellWords(`curl ${'a '.repeat(100_000)}`);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('readCurl', () => {
  it('reads method, URL, headers and body as browsers copy them', () => {
    const { config, notes } = read(`curl 'https://shop.example/api/cart?x=1' \\
      -X 'PUT' \\
      -H 'accept: application/json' \\
      -H 'content-type: application/json' \\
      --data-raw '{"id": 5, "name": "it'\\''s"}' \\
      --compressed`);
    expect(config).toEqual({
      url: 'https://shop.example/api/cart?x=1',
      method: 'PUT',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: `{"id": 5, "name": "it's"}`,
    });
    expect(notes).toEqual([]);
  });

  it.each([
    ["-u 'kim:pa:ss'", { kind: 'basic', username: 'kim', password: 'pa:ss' }],
    ['-ukim:secret', { kind: 'basic', username: 'kim', password: 'secret' }],
    [`-H 'Authorization: Basic ${btoa('kim:secret')}'`, { kind: 'basic', username: 'kim', password: 'secret' }],
    ["-H 'authorization: Bearer abc.def'", { kind: 'bearer', token: 'abc.def' }],
    ['--oauth2-bearer abc', { kind: 'bearer', token: 'abc' }],
  ])('puts credentials into the authentication: %s', (options, auth) => {
    const { config } = read(`curl https://shop.example/ ${options}`);
    expect(config).toEqual({ url: 'https://shop.example/', method: 'GET', auth });
  });

  it('moves credentials of the URL into the authentication', () => {
    const { config } = read('curl https://kim:p%40ss@shop.example/x');
    expect(config).toMatchObject({
      url: 'https://shop.example/x',
      auth: { kind: 'basic', username: 'kim', password: 'p@ss' },
    });
  });

  it.each([
    ['-d a=1 -d b=2', { method: 'POST', body: 'a=1&b=2' }],
    ['-G -d a=1 --data-urlencode "q=a b"', { method: 'GET', url: 'https://shop.example/?a=1&q=a%20b' }],
    [
      `--json '{"a":1}'`,
      { method: 'POST', headers: { 'Content-Type': 'application/json', Accept: 'application/json' } },
    ],
    ['-sSIL', { method: 'HEAD', followRedirects: true }],
    ['-k -m 2.5 -4', { verifyTls: false, timeoutMs: 2500, ipFamily: '4' }],
    ['-A probe -b "sid=1"', { headers: { 'User-Agent': 'probe', Cookie: 'sid=1' } }],
  ])('reads %s', (options, expected) => {
    expect(read(`curl ${options} https://shop.example/`).config).toMatchObject(expected);
  });

  it('says what it does not carry over', () => {
    const { notes, config } = read(
      `curl shop.example -F file=@a.png --proxy http://p:1 -d @body.json --frobnicate -H "X-Key: $KEY" -X TRACE https://other.example | jq .`,
    );
    expect(config).toMatchObject({ url: 'http://shop.example/', method: 'GET' });
    expect(notes).toEqual([
      '--form',
      '--proxy',
      'data of a file',
      '--frobnicate',
      '1 more URL',
      'the method TRACE',
      'what follows the first command',
      'the values of variables, which you can enter in their place',
    ]);
  });

  it.each([
    ["curl --proto '=https' --tlsv1.2 -sSf https://shop.example/", '--proto'],
    ['curl --pass s3cret https://shop.example/', '--pass'],
    ['curl --not-known s3cret https://shop.example/', '--not-known'],
  ])('does not take the value of an option for the URL: %s', (command, note) => {
    expect(read(command)).toMatchObject({
      config: { url: 'https://shop.example/' },
      notes: expect.arrayContaining([note]),
    });
  });

  it('does not take a $ in single quotes for a variable', () => {
    expect(read(`curl https://shop.example -u 'kim:$ecret'`).notes).toEqual([]);
  });

  it.each([
    ['wget https://shop.example', 'Enter a command that starts with curl.'],
    ['curl', 'Enter a command that starts with curl.'],
    ['curl -s', 'The command has no URL'],
    ['curl ftp://shop.example', 'The command has no URL'],
    ["curl 'https://shop.example", 'A quote of the command is not closed.'],
    ['curl "https://shop.example" ^\r\n  -H "a: b"', 'command prompt of Windows'],
    [`curl https://shop.example -d ${'a'.repeat(200_000)}`, 'longer than 200,000'],
  ])('refuses what it cannot read: %.40s', (command, message) => {
    expect(faultOf(command)).toContain(message);
  });

  it('knows a command by its start', () => {
    expect(['curl x', '$ curl x', ' curl.exe x', 'curly x', 'https://curl x'].map(isCurl)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('curlFields', () => {
  it('sets the fields of the form, and clears a former body, headers and authentication', () => {
    const fields = Object.fromEntries(curlFields(read("curl https://shop.example/ -H 'X-Key: 1' -m 5")));
    expect(fields).toMatchObject({
      type: 'http',
      'http.url': 'https://shop.example/',
      'http.method': 'GET',
      'http.headers': [{ name: 'X-Key', value: '1' }],
      'http.body': '',
      'http.auth.kind': 'undefined',
      'checked.timeoutMs': '5 s',
    });
    expect(Object.keys(fields)).not.toContain('http.auth.password');
    const verification = (command: string) =>
      curlFields(read(command)).find(([name]) => name.endsWith('.verifyTls'))?.[1];
    expect([verification('curl -k https://shop.example/'), verification('curl https://shop.example/')]).toEqual([
      false,
      true,
    ]);
  });
});
