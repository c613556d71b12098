import { beforeAll, describe, expect, it } from 'vitest';
import { guessColumns, readRows } from '@/server/imports/schema';
import { readImport, tryImport } from '@/tests/support/read-import';

// The first read loads the schemas of all objects.
beforeAll(async () => void (await tryImport('csv', '')), 60_000);

describe('records of CSV', () => {
  it.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a;b\r\n1;2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a\tb\r1\t2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      '"a,1","say ""hi"""\n"two\nlines", x ',
      [
        ['a,1', 'say "hi"'],
        ['two\nlines', 'x'],
      ],
    ],
    [
      'a,b\n\n,\n1,',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['a,"never closed', [['a', 'never closed']]],
    ['', []],
  ])('reads %j', (text, rows) => {
    expect(readRows(text, 100)).toEqual(rows);
  });

  it('reads at most as many records as are wanted', () => {
    expect(readRows('a\n'.repeat(1_000), 7)).toHaveLength(7);
  });

  it('reads a file of quotes in linear time', () => {
    expect(readRows('"'.repeat(1_000_000), 100)).toEqual([['"'.repeat(499_999)]]);
  });
});

it('recognizes usual names of columns, and leaves others', () => {
  expect(guessColumns(['Friendly Name', 'URL/IP', 'Interval (minutes)', 'Owner', 'Keyword Value', 'Port'])).toEqual({
    name: 'Friendly Name',
    url: 'URL/IP',
    interval: 'Interval (minutes)',
    keyword: 'Keyword Value',
    port: 'Port',
  });
  expect(guessColumns(['__proto__', 'constructor', ''])).toEqual({});
});

const one = async (header: string, row: string) => {
  const draft = await readImport('csv', `${header}\n${row}\n`);
  return draft.monitors[0] ?? draft.leftOut[0];
};

describe('rows of a table', () => {
  it.each([
    [
      'URL',
      'northwind.example',
      { type: 'http', name: 'northwind.example', config: { url: 'https://northwind.example' } },
    ],
    [
      'Name,URL,Interval,Timeout,Tags,Status codes,Method',
      'Shop,https://northwind.example/,5 min,15,"Web, EU","2xx,301",head',
      {
        type: 'http',
        name: 'Shop',
        intervalSeconds: 300,
        tags: ['web', 'eu'],
        config: { method: 'HEAD', timeoutMs: 15_000, expectedStatus: ['200-299', '301'] },
      },
    ],
    [
      'URL,Interval (minutes),TimeoutMs',
      'https://northwind.example/,2,2500',
      { intervalSeconds: 120, config: { timeoutMs: 2_500 } },
    ],
    [
      'URL,Keyword',
      'https://kim:s3cret@northwind.example/,Welcome',
      {
        config: {
          url: 'https://northwind.example/',
          auth: { kind: 'basic', username: 'kim', password: 's3cret' },
          assertions: [{ source: 'body', operator: 'contains', value: 'Welcome' }],
        },
      },
    ],
    [
      'Host,Type,Port',
      'db.northwind.example,Port,5432',
      { type: 'tcp', config: { host: 'db.northwind.example', port: 5432 } },
    ],
    ['Host', 'tcp://[2001:db8::1]:5432', { type: 'tcp', config: { host: '2001:db8::1', port: 5432 } }],
    ['Host', 'db.northwind.example:5432', { type: 'tcp', notes: ['It has no type: its port is checked.'] }],
    ['Host,Type', '2001:db8::1,ICMP', { type: 'ping', config: { host: '2001:db8::1' } }],
    [
      'Host,Type',
      'https://northwind.example/login,SSL certificate',
      { type: 'tls', config: { host: 'northwind.example', port: 443 } },
    ],
    ['Host', 'wss://live.northwind.example/', { type: 'websocket', config: { url: 'wss://live.northwind.example/' } }],
    ['Host,Type', 'northwind.example,dns', { type: 'dns', config: { host: 'northwind.example', recordType: 'A' } }],
    ['Host', 'grpcs://api.northwind.example:50051', { type: 'grpc', config: { port: 50051, tls: true } }],
    ['Name,Type,Interval', 'Backup,cron,1 h', { type: 'heartbeat', name: 'Backup', intervalSeconds: 3_600 }],
    ['URL,Enabled', 'https://northwind.example/,no', { isActive: false }],
  ])('converts %s: %s', async (header, row, expected) => {
    const found = await one(header, row);
    if (!found || !('input' in found)) throw new Error(`Left out: ${found?.reason}`);
    expect({ ...found.input, notes: found.notes }).toMatchObject(expected);
  });

  it.each([
    ['URL,Type', 'northwind.example,game server', 'The type game server is not supported.'],
    ['URL,Type', 'northwind.example,constructor', 'The type constructor'],
    ['URL,Interval', 'https://northwind.example/,often', '“often” is not a duration'],
    ['URL,Status codes', 'https://northwind.example/,fine', 'config.expectedStatus'],
    ['URL,Enabled', 'https://northwind.example/,perhaps', '“perhaps” is neither true nor false.'],
    ['URL,Type', 'northwind.example,tcp', 'It has no port.'],
    ['URL,Type,Keyword', 'northwind.example,ping,x', 'A keyword is not supported for this type.'],
    ['Host,Port', 'https://northwind.example/,8080', 'Its port is not that of its URL.'],
    ['Name,Type', 'Backup,cron', 'A heartbeat needs an interval.'],
    ['URL,Name', 'https://northwind.example/,a,b', 'It has more fields than the first row.'],
    ['Name,URL', 'Shop,', 'It has no address.'],
  ])('leaves out %s: %s with the reason', async (header, row, reason) => {
    expect(await one(header, row)).toMatchObject({ reason: expect.stringContaining(reason) });
  });

  it('are read by the columns that the user chose, and name those that are not used', async () => {
    const table = 'Title;Website;URL;Kind\nShop;https://northwind.example/;https://old.example/;http\n';
    const draft = await readImport('csv', table, { name: 'Title', url: 'Website', type: '' });
    expect(draft.monitors).toMatchObject([{ name: 'Shop', input: { config: { url: 'https://northwind.example/' } } }]);
    expect(draft.notes).toContain('Columns that are not used: URL, Kind.');
    expect(await tryImport('csv', table, { url: 'Link' })).toEqual({
      problem: 'There is no column “Link”. The columns are: Title, Website, URL, Kind.',
      field: 'columns.url',
    });
  });

  it('are found again in a later file, and only once in each', async () => {
    const [first, again] = await Promise.all([
      readImport(
        'csv',
        'Name,URL\nShop,https://northwind.example/?key=s3cret\nShop,https://northwind.example/?key=s3cret\n',
      ),
      readImport('csv', 'Name,URL\nBlog,https://blog.example/\nShop,https://northwind.example/?key=s3cret\n'),
    ]);
    expect(first.monitors).toHaveLength(1);
    expect(first.leftOut).toMatchObject([{ name: 'Shop', reason: 'It is in the file twice.' }]);
    expect(again.monitors[1]?.key).toBe(first.monitors[0]?.key);
    expect(again.instance).toBe(first.instance);
    expect(first.monitors[0]?.key).not.toContain('s3cret');
  });

  it.each([
    ['', 'This table has no rows'],
    ['Owner,Team\nkim,web\n', 'No column has addresses. Choose it. The columns are: Owner, Team.'],
    [`URL\n${'https://northwind.example/\n'.repeat(5_001)}`, 'A file can have at most 5000 objects.'],
  ])('say what is wrong with the table %#', async (text, problem) => {
    expect(await tryImport('csv', text)).toMatchObject({ problem: expect.stringContaining(problem) });
  });
});

describe('types and addresses of rows', () => {
  it.each([
    ['http,example.com,,', 'http', { url: 'http://example.com' }],
    ['website,example.com,,', 'http', { url: 'https://example.com' }],
    ['HEAD,example.com,,', 'http', { method: 'HEAD' }],
    ['ws,live.example,,', 'websocket', { url: 'ws://live.example' }],
    ['grpcs,api.example:443,,', 'grpc', { host: 'api.example', port: 443, tls: true }],
    [',https://example.com/,443,', 'http', { url: 'https://example.com/' }],
    [',http://example.com:80/,80,', 'http', { url: 'http://example.com:80/' }],
    ['tcp,https://mail.example:443,,', 'tcp', { host: 'mail.example', port: 443 }],
  ])('keep their meaning: %s', async (row, type, config) => {
    const { monitors } = await readImport('csv', `Type,URL,Port,Keyword\n${row}\n`);
    expect(monitors).toMatchObject([{ input: { type, config } }]);
  });

  it.each([
    ['keyword,https://example.com/,,', 'It has no keyword.'],
    ['websocket,wss://live.example/,8443,', 'Its port is not that of its URL.'],
  ])('are left out if they miss something: %s', async (row, reason) => {
    const { leftOut } = await readImport('csv', `Type,URL,Port,Keyword\n${row}\n`);
    expect(leftOut).toMatchObject([{ reason: expect.stringContaining(reason) }]);
  });

  it.each([
    ['Keyword Type', 'contains', 'contains'],
    ['Keyword Type', 'ALERT_NOT_EXISTS', 'contains'],
    ['Keyword Type', 'ALERT_EXISTS', 'notContains'],
    ['Keyword Type', 'not contains', 'notContains'],
    ['Do Not Find', '0', 'contains'],
    ['Do Not Find', 'TRUE', 'notContains'],
  ])('look for the absence of a keyword where the table says so: %s %s', async (column, cell, operator) => {
    const draft = await readImport('csv', `URL,Keyword Value,${column}\nhttps://example.com/,Sold out,${cell}\n`);
    expect(draft.monitors).toMatchObject([{ input: { config: { assertions: [{ operator, value: 'Sold out' }] } } }]);
    expect(draft.notes.join()).not.toContain('not used');
  });

  it('leave out a row that does not say whether its keyword must be there, but not one without', async () => {
    const rows = 'https://example.com/,Sold out,exists\nhttps://example.com/shop,,0\n';
    const { leftOut, monitors } = await readImport('csv', `URL,Keyword,Keyword Type\n${rows}`);
    expect(leftOut).toMatchObject([{ reason: expect.stringContaining('present or absent') }]);
    expect(monitors).toHaveLength(1);
  });

  it.each([
    ['Interval,Timeout', '"3,600",10', 'is not a duration'],
    ['Type', 'smtp', null],
  ])('with %s: %s', async (columns, cells, reason) => {
    const { leftOut, monitors } = await readImport('csv', `URL,${columns}\nmail.example:465,${cells}\n`);
    if (reason === null) expect(monitors).toMatchObject([{ input: { config: { port: 465, security: 'tls' } } }]);
    else expect(leftOut).toMatchObject([{ reason: expect.stringContaining(reason) }]);
  });

  it.each([
    ['mail.example', 'IMAP', 'mailbox', { host: 'mail.example', protocol: 'imap', security: 'tls' }],
    ['mail.example:143', 'imap', 'mailbox', { port: 143, protocol: 'imap', security: 'none' }],
    ['pop3s://mail.example', '', 'mailbox', { host: 'mail.example', protocol: 'pop3', security: 'tls' }],
    ['imaps://mail.example:1993', '', 'mailbox', { port: 1_993, protocol: 'imap', security: 'tls' }],
    ['mail.example:1993', 'IMAPS', 'mailbox', { port: 1_993, protocol: 'imap', security: 'tls' }],
    ['imap://mail.example', '', 'mailbox', { protocol: 'imap', security: 'none' }],
    ['imap://mail.example', 'IMAP', 'mailbox', { protocol: 'imap', security: 'none' }],
    ['mail.example:995', 'POP3', 'mailbox', { port: 995, protocol: 'pop3', security: 'tls' }],
    ['box.example', 'SSH', 'ssh', { host: 'box.example', port: 22 }],
    ['ssh://box.example:2222', '', 'ssh', { host: 'box.example', port: 2_222 }],
  ])('read %s with the type "%s"', async (url, given, type, config) => {
    const { monitors } = await readImport('csv', `URL,Type\n${url},${given}\n`);
    expect(monitors).toMatchObject([{ input: { type, config } }]);
  });

  it.each([
    ['mail.example:1993', 'IMAP', ['It is checked without encryption, as usual for port 1993.']],
    ['mail.example:143', 'IMAP', ['It is checked without encryption, as usual for port 143.']],
    ['imap://mail.example:1993', '', []],
    ['mail.example:995', 'POP3', []],
  ])('note that the file does not say how %s of the type "%s" is encrypted', async (url, type, expected) => {
    const { monitors } = await readImport('csv', `URL,Type\n${url},${type}\n`);
    expect(monitors[0]?.notes).toEqual(expected.map((note) => expect.stringContaining(note)));
  });

  it.each([
    ['imap://kim:pw@mail.example', 1],
    ['ssh://kim@box.example', 1],
    ['imap://mail.example/a@b', 0],
    ['https://kim:pw@shop.example', 0],
  ])('note the credentials of %s if they are not carried over', async (url, count) => {
    const { monitors } = await readImport('csv', `URL\n${url}\n`);
    const notes = monitors.flatMap((monitor) => monitor.notes);
    expect(notes.filter((note) => note.includes('username and password'))).toHaveLength(count);
    expect(JSON.stringify(notes)).not.toContain('kim');
  });

  it('have a timeout of 10 s if theirs is 0', async () => {
    const { monitors } = await readImport('csv', 'URL,Timeout\nhttps://example.com/,0\n');
    expect(monitors).toMatchObject([
      { input: { config: { timeoutMs: 10_000 } }, notes: [expect.stringContaining('It has no timeout.')] },
    ]);
  });

  it('say which unit an interval without one has', async () => {
    const [assumed, pingdom] = await Promise.all([
      readImport('csv', 'URL,Interval\nhttps://example.com/,60\n'),
      readImport('csv', 'Hostname,Resolution\nexample.com,5\n'),
    ]);
    expect(assumed.notes).toContain('Numbers without a unit in the column “Interval” are seconds.');
    expect(pingdom.monitors).toMatchObject([{ input: { intervalSeconds: 300 } }]);
  });

  it('are twice in a file only if their checks are the same', async () => {
    const draft = await readImport(
      'csv',
      'Name,URL,Keyword\nShop,https://a.example/,One\nShop,https://a.example/,Two\n',
    );
    expect(draft.monitors).toHaveLength(2);
  });
});

describe('lists of addresses', () => {
  it('become a monitor each, as do the pages of a sitemap', async () => {
    const list = await readImport(
      'urls',
      '# websites\nnorthwind.example\r\n\nhttps://northwind.example/login\nwss://live.example/\nftp://files.example/\n',
    );
    expect(list.monitors.map(({ name, input }) => `${input.type} ${name}`)).toEqual([
      'http northwind.example',
      'http northwind.example/login',
      'websocket live.example',
    ]);
    expect(list.leftOut).toMatchObject([{ reason: 'The type ftp is not supported.' }]);
    const sitemap = await readImport(
      'urls',
      `<?xml version="1.0" encoding="UTF-8"?>
      <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
        <url><loc> https://northwind.example/?a=1&amp;b=2 </loc><lastmod>2026-11-01</lastmod>
          <image:image><image:loc>https://northwind.example/logo.png</image:loc></image:image></url>
        <url><loc><![CDATA[https://northwind.example/shop]]></loc></url>
      </urlset>`,
    );
    expect(sitemap.monitors.map(({ input }) => input.config)).toMatchObject([
      { url: 'https://northwind.example/?a=1&b=2' },
      { url: 'https://northwind.example/shop' },
    ]);
  });

  const index = '<sitemapindex><sitemap><loc>https://northwind.example/sitemap-1.xml</loc></sitemap></sitemapindex>';
  it.each([
    [index, 'This is an index of sitemaps. Upload one of them, such as https://northwind.example/sitemap-1.xml.'],
    ['<html><body></body></html>', 'This file is not a sitemap'],
    ['<urlset><url>', 'This file is not valid XML'],
    [
      '<!DOCTYPE a [<!ENTITY b "https://northwind.example/">]><urlset><url><loc>&b;</loc></url></urlset>',
      'This file is not valid XML',
    ],
    ['<a>'.repeat(100_000), 'This file is not a sitemap'],
    [`<urlset>${'<url><loc>https://a.example/</loc></url>'.repeat(5_001)}</urlset>`, 'at most 5000'],
    [`<${'a'.repeat(200_000)}>${'<x/>'.repeat(2_000)}`, 'This file is not a sitemap'],
    ['# nothing', 'This file has no addresses.'],
  ])('say what is wrong with %.60s', async (text, problem) => {
    expect(await tryImport('urls', text)).toEqual({ problem: expect.stringContaining(problem) });
  });
});
