import { describe, expect, it } from 'vitest';
import { toCurl } from '@/app/_components/evidence/to-curl';
import { countsOf } from '@/app/(dashboard)/(team)/incidents/_components/messages';
import { MASK } from '@/server/platform/schema';

const get = (headers: { name: string; value: string }[] = [], line = 'GET /v2/checkout HTTP/1.1') => ({
  line,
  headers,
});

describe('toCurl', () => {
  it('repeats a request with its headers', () => {
    const request = get([{ name: 'accept', value: '*/*' }]);
    expect(toCurl(request, 'https://api.northwind.example/v2/checkout')).toBe(
      "curl -i 'https://api.northwind.example/v2/checkout' \\\n  -H 'accept: */*'",
    );
  });

  it('leaves masked headers out and names them', () => {
    const request = get([{ name: 'authorization', value: `Bearer ${MASK}` }]);
    expect(toCurl(request, 'https://api.northwind.example/v2/checkout')).toBe(
      "curl -i 'https://api.northwind.example/v2/checkout'\n# Secret, not included: authorization",
    );
  });

  it('keeps what a target or a user wrote inside the quotes', () => {
    const request = get([{ name: 'x', value: "a'; rm -rf / #" }], 'POST /a HTTP/1.1');
    expect(toCurl(request, "https://api.northwind.example/a?q='$(id)'")).toBe(
      "curl -i -X POST 'https://api.northwind.example/a' \\\n  -H 'x: a'\\''; rm -rf / #'",
    );
  });

  it('takes the query from the monitor, and the path from the request if the monitor was edited', () => {
    const line = `GET /old?${MASK} HTTP/1.1`;
    expect(toCurl(get([], line), 'https://a.example/old?page=2')).toBe("curl -i 'https://a.example/old?page=2'");
    expect(toCurl(get([], line), 'https://a.example/new?page=2')).toBe("curl -i 'https://a.example/old'");
  });

  it('is null for commands of other protocols', () => {
    expect(toCurl(get([], 'EHLO upwatch'), 'https://a.example')).toBeNull();
  });
});

describe('countsOf', () => {
  it('counts notifications by what became of them', () => {
    const delivered = { status: 'delivered' as const, attempts: 1 };
    const messages = [
      ...Array.from({ length: 12 }, () => delivered),
      { status: 'pending' as const, attempts: 2 },
      { status: 'pending' as const, attempts: 0 },
      { status: 'failed' as const, attempts: 9 },
    ];
    expect(countsOf(messages)).toBe('12 delivered, 1 retrying, 1 waiting, 1 failed');
  });
});
