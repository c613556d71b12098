import { expect, it } from 'vitest';
import { copyConfig } from '@/server/monitor-types/schema';

it('copies a config without its credentials, and names them', () => {
  const config = {
    url: 'https://shop.example/health?region=eu',
    method: 'GET',
    headers: { accept: 'text/html', authorization: '••••cret', 'x-tenant': 'eu' },
    auth: { kind: 'bearer', token: '••••oken' },
  };
  expect(copyConfig('http', config)).toEqual({
    config: { ...config, headers: { ...config.headers, authorization: '' }, auth: { kind: 'bearer', token: '' } },
    missing: expect.arrayContaining(['headers.authorization', 'auth.token']),
  });
});

it('does not copy the ping URL of a heartbeat', () => {
  const shown = { graceSeconds: 60, pingUrl: 'https://upwatch.example/api/heartbeat/abc' };
  expect(copyConfig('heartbeat', shown)).toEqual({ config: { graceSeconds: 60 }, missing: [] });
});
