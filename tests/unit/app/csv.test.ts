import { describe, expect, it } from 'vitest';
import { toCsv } from '@/app/_components/csv';
import { monitorsCsv } from '@/app/(dashboard)/(team)/monitors/_components/monitors-csv';
import type { OverviewRow } from '@/server/monitor-types/schema';

describe('toCsv', () => {
  it('quotes separators, quotes and line breaks, and ends each line with CRLF', () => {
    expect(
      toCsv([
        ['a', 'b, "c"'],
        [1.5, 'two\nlines'],
        [null, ''],
      ]),
    ).toBe('\uFEFFa,"b, ""c"""\r\n1.5,"two\nlines"\r\n,\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1'])(
    'makes a spreadsheet show %j instead of evaluating it',
    (text) => {
      expect(toCsv([[text]]).replace(/^\uFEFF"?/, '')[0]).toBe("'");
    },
  );

  it('does so after the separators of other locales, too', () => {
    expect(toCsv([['x;=1'], ['x;  ＝1'], ['a-b=c; d']])).toBe("\uFEFFx;'=1\r\nx;'  ＝1\r\na-b=c; d\r\n");
  });

  it('leaves negative numbers alone', () => {
    expect(toCsv([[-1.5]])).toBe('\uFEFF-1.5\r\n');
  });
});

describe('monitorsCsv', () => {
  const row: OverviewRow = {
    id: '01KB',
    name: '=HYPERLINK("http://evil.example")',
    type: 'http',
    target: 'shop.example/health',
    tags: ['shop', 'eu'],
    parent: { id: '01KA', name: 'Router' },
    status: 'down',
    statusSince: '2026-11-27T10:00:00.000Z',
    isFlapping: false,
    deletesAt: null,
    intervalSeconds: 60,
    lastCheckedAt: '2026-11-27T10:05:00.000Z',
    lastError: 'Expected status 200-299, got 503',
    p95Ms: 212.4,
    uptime30d: 0.999571,
    strip: [],
  };

  it('has a line with titles and one for each monitor', () => {
    expect(monitorsCsv([row], [])).toEqual([
      'Name,Type,Target,Status,Since,Last error,Tags,Depends on,p95 (ms),Uptime 30 d (%),Last check,ID'.split(','),
      [row.name, 'http', row.target, 'Down', row.statusSince, row.lastError, 'shop, eu', 'Router', 212.4, 99.957]
        .concat(row.lastCheckedAt ?? '')
        .concat('01KB'),
    ]);
    expect(toCsv(monitorsCsv([row], []))).toContain(`\r\n"'=HYPERLINK(""http://evil.example"")",http,`);
  });

  it('leaves hidden columns out, and values that are not known empty', () => {
    const [titles, line] = monitorsCsv([{ ...row, uptime30d: null, p95Ms: null }], ['tags', 'checked']);
    expect(titles).toEqual([
      'Name',
      'Type',
      'Target',
      'Status',
      'Since',
      'Last error',
      'p95 (ms)',
      'Uptime 30 d (%)',
      'ID',
    ]);
    expect(line?.slice(6)).toEqual([null, null, '01KB']);
  });
});
