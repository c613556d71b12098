import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Attempts } from '@/app/(dashboard)/(team)/incidents/_components/evidence/attempts';
import type { CheckAttempt } from '@/server/incidents/schema';

const timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, downloadMs: null };
const request = { line: 'GET /rdap/domain/northwind.example HTTP/1.1', headers: [], body: null };
const response = { line: 'HTTP/1.1 404 Not Found', headers: [], body: null };
const attempt = {
  at: '2026-11-17T03:06:42.000Z',
  region: 'default',
  status: 'down',
  error: 'The domain is not registered',
  latencyMs: 51,
  timings,
  statusCode: null,
  addresses: [],
  connections: [],
  certificate: null,
  exchanges: [{ request, response }],
  rules: [],
} as unknown as CheckAttempt;

/** The texts of a list of one check that is not expanded. */
function textOf(url: string | null): string {
  const html = renderToStaticMarkup(<Attempts attempts={[attempt]} showsFirst={false} url={url} />);
  return html.replace(/<[^>]+>/g, ' ');
}

it('shows the status line as the response of a URL', () => {
  expect(textOf('https://northwind.example/')).toContain(response.line);
});

it('shows why a check of a type without a URL failed, not what a registry answered', () => {
  expect(textOf(null)).toContain('The domain is not registered');
  expect(textOf(null)).not.toContain(response.line);
});
