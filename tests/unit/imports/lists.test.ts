import { beforeAll, describe, expect, it } from 'vitest';
import type { ImportSource } from '@/server/imports/schema';
import { readImport, tryImport } from '@/tests/support/read-import';

const run = (source: ImportSource, content: unknown) => tryImport(source, JSON.stringify(content));
const read = (source: ImportSource, content: unknown) => readImport(source, JSON.stringify(content));

// The first read loads the schemas of all objects.
beforeAll(async () => void (await run('healthchecks', [])), 60_000);

const url = 'https://northwind.example/';
const one = async (row: object) => {
  const draft = await read('uptime-robot', { stat: 'ok', monitors: [{ id: 7, friendly_name: 'One', ...row }] });
  return draft.monitors[0] ?? draft.leftOut[0];
};

describe('monitors of UptimeRobot', () => {
  it.each([
    [
      { type: 1, url, interval: 60, timeout: 30, status: 2 },
      {
        type: 'http',
        name: 'One',
        intervalSeconds: 60,
        isActive: true,
        config: { url, method: 'GET', expectedStatus: ['200-399'], timeoutMs: 30_000 },
      },
    ],
    [
      { type: 1, url, custom_http_statuses: '404:1_301:0_302:0', http_method: 1, status: 0 },
      { isActive: false, config: { method: 'HEAD', expectedStatus: ['200-300', '303-399', '404'] } },
    ],
    [
      { type: 1, url, custom_http_statuses: { up: [401], down: ['200'] } },
      { config: { expectedStatus: ['201-399', '401'] } },
    ],
    [
      {
        type: 1,
        url,
        http_method: 3,
        post_value: '{"a":1}',
        post_type: 2,
        post_content_type: 1,
        http_username: 'kim',
        http_password: 's3cret',
        custom_http_headers: { 'X-Pin': 7 },
      },
      {
        config: {
          method: 'POST',
          body: '{"a":1}',
          headers: { 'X-Pin': '7', 'content-type': 'application/json' },
          auth: { kind: 'basic', username: 'kim', password: 's3cret' },
        },
      },
    ],
    [
      { type: 2, url, keyword_type: 2, keyword_value: 'Welcome' },
      { config: { assertions: [{ source: 'body', operator: 'contains', value: 'Welcome' }] } },
    ],
    [
      { type: 2, url, keyword_type: 1, keyword_value: 'Error' },
      { config: { assertions: [{ source: 'body', operator: 'notContains', value: 'Error' }] } },
    ],
    [
      { type: 2, url, keyword_type: 1, keyword_value: 'x', keyword_case_type: 1 },
      { config: { assertions: [{ source: 'body', operator: 'notMatches', value: '(?i)x' }] } },
    ],
    [
      { type: 2, url, keyword_type: 2, keyword_value: 'up.', keyword_case_type: 1 },
      { config: { assertions: [{ source: 'body', operator: 'matches', value: '(?i)up\\.' }] } },
    ],
    [
      { type: 1, url, http_method: 3, post_type: 1, post_value: { a: 'b c' } },
      { config: { body: 'a=b+c', headers: { 'content-type': 'application/x-www-form-urlencoded' } } },
    ],
    [
      { type: 3, url: '192.0.2.1', interval: 300 },
      { type: 'ping', config: { host: '192.0.2.1' } },
    ],
    [
      { type: 4, url: 'mail.example', sub_type: 4, port: '' },
      { type: 'tcp', config: { host: 'mail.example', port: 25 } },
    ],
    [
      { type: 4, url: 'db.example', sub_type: 99, port: '5432' },
      { type: 'tcp', config: { port: 5432 } },
    ],
    [
      { type: 5, interval: 604_800, tags: [{ name: 'Jobs' }] },
      { type: 'heartbeat', intervalSeconds: 86_400, config: { graceSeconds: 518_460 }, tags: ['jobs'] },
    ],
  ])('converts %j', async (row, expected) => {
    const found = await one(row);
    if (!found || !('input' in found)) throw new Error(`Left out: ${found?.reason}`);
    expect({ ...found.input, notes: found.notes }).toMatchObject(expected);
  });

  it.each([
    [{ type: 1, url, http_username: 'a', http_auth_type: 2 }, 'Digest authentication'],
    [{ type: 4, url: 'db.example', sub_type: 99 }, 'no port'],
    [{ type: 6, url }, 'no such monitor type'],
    [{ type: 'constructor', url }, 'no such monitor type'],
    [{ type: 1, url: 'nonsense' }, 'config.url'],
  ])('leaves out %j with the reason', async (row, reason) => {
    expect(await one(row)).toMatchObject({ name: 'One', reason: expect.stringContaining(reason) });
  });
});

it('reads checks of Healthchecks as heartbeats', async () => {
  const uuid = '31365bce-8da9-4729-8ff3-aaa71d56b712';
  const draft = await read('healthchecks', {
    checks: [
      {
        name: 'Backup',
        tags: 'backup FS',
        grace: 600,
        status: 'up',
        ping_url: `https://hc.example/${uuid}`,
        timeout: 3_600,
      },
      {
        name: 'Night',
        tags: '',
        grace: 1_200,
        status: 'paused',
        unique_key: 'a6c7',
        schedule: '15 5 * * *',
        tz: 'Europe/Riga',
      },
      { name: 'Month', grace: 3_600, unique_key: 'b1', timeout: 2_592_000, success_kw: 'OK' },
      { name: 'Quarter', grace: 60, unique_key: 'd1', timeout: 7_776_000 },
      { name: 'Odd', grace: 60, unique_key: 'c1', schedule: 'Mon *-*-* 10:00' },
    ],
  });
  expect(draft.monitors.map(({ input }) => input)).toMatchObject([
    {
      type: 'heartbeat',
      name: 'Backup',
      tags: ['backup', 'fs'],
      intervalSeconds: 3_600,
      config: { graceSeconds: 600 },
    },
    { name: 'Night', isActive: false, config: { graceSeconds: 1_200, cron: '15 5 * * *', timezone: 'Europe/Riga' } },
    { name: 'Month', intervalSeconds: 86_400, config: { graceSeconds: 2_592_000 - 86_400 + 3_600 } },
  ]);
  expect(draft.monitors[2]?.notes.join(' ')).toMatch(/period of over a day.+/);
  expect(draft.leftOut).toMatchObject([
    { name: 'Quarter', reason: 'Its period is over 32 days, the maximum.' },
    { name: 'Odd', from: 'cron' },
  ]);
  expect(JSON.stringify(draft)).not.toContain(uuid);
  expect(new Set(draft.monitors.map(({ key }) => key)).size).toBe(3);
});

it.each(['uptime-robot', 'healthchecks'] as const)('says what is wrong with a file for %s', async (source) => {
  for (const content of [{}, [], { stat: 'fail', error: { type: 'invalid_parameter' } }, 7]) {
    expect(await run(source, content)).toEqual({ problem: expect.stringContaining('This file is not a list of') });
  }
  const broken = await tryImport(source, '{');
  expect(broken).toEqual({ problem: expect.stringContaining('not valid JSON') });
});
