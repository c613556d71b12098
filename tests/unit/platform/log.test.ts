import { describe, expect, it } from 'vitest';
import { createLog } from '@/server/platform/log';

function logged(write: (log: ReturnType<typeof createLog>) => void, level = 'info') {
  const lines: string[] = [];
  write(createLog(level, { write: (line) => lines.push(line) }));
  return { text: lines.join(''), lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('logger', () => {
  it('writes one line of JSON per entry, with level and time as text', () => {
    const { lines } = logged((log) => log.child({ requestId: '01K' }).info({ monitors: 3 }, 'Claimed'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 'info', requestId: '01K', monitors: 3, msg: 'Claimed' });
    expect(lines[0]?.time).toMatch(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/);
  });

  it('omits entries below its level', () => {
    expect(logged((log) => log.info('quiet'), 'warn').lines).toEqual([]);
  });

  it.each([
    ['a password', { user: { password: 'hunter22' } }],
    ['a header', { request: { headers: { authorization: 'Bearer hunter22' } } }],
    ['a cookie', { headers: { cookie: 'session=hunter22', 'set-cookie': ['session=hunter22'] } }],
    ['a token in a list', { sessions: [{ refreshToken: 'hunter22' }] }],
    ['a secret object', { config: { secret: { sealed: 'hunter22' } } }],
    ['a webhook address', { config: { webhookUrl: 'https://hooks.example/hunter22' } }],
    ['an API key', { 'x-api-key': 'hunter22', apiKey: 'hunter22' }],
    ['an address with a password', { databaseUrl: 'postgresql://upwatch:hunter22@db/upwatch' }],
    ['an error', { err: Object.assign(new Error('smtp://u:hunter22@mail'), { config: { password: 'hunter22' } }) }],
    ['the cause of an error', { err: new Error('outer', { cause: new Error('smtp://u:hunter22@mail') }) }],
  ])('omits %s', (_what, fields) => {
    const { text, lines } = logged((log) => log.info(fields, 'message'));
    expect(lines).toHaveLength(1);
    expect(text).not.toContain('hunter22');
    expect(text).toContain('[redacted]');
  });

  it("omits the connection attached to a driver's error and to its cause", () => {
    const driver = () =>
      Object.assign(new Error('terminated'), { client: { statements: ['select a thing'] }, code: '57P01' });
    const { text } = logged((log) => {
      log.warn({ err: driver() }, 'broke');
      log.warn({ err: new Error('outer', { cause: driver() }) }, 'broke');
    });
    expect(text).not.toContain('select a thing');
    expect(text.match(/57P01/g)).toHaveLength(2);
  });

  it('writes a long word in linear time', () => {
    const from = process.cpuUsage().user;
    const { text } = logged((log) => log.warn({ value: 'a'.repeat(200_000) }, 'message'));
    expect(text.length).toBeGreaterThan(200_000);
    expect((process.cpuUsage().user - from) / 1000).toBeLessThan(500);
  });

  it('omits secrets from the message', () => {
    const { text, lines } = logged((log) => {
      log.error(new Error('cannot reach postgresql://upwatch:hunter22@db'));
      log.info('using postgresql://upwatch:hunter22@db');
    });
    expect(lines).toHaveLength(2);
    expect(text).not.toContain('hunter22');
  });

  it('keeps name, message and code of an error', () => {
    const error = Object.assign(new TypeError('wrong'), { code: 'E_WRONG' });
    const { lines } = logged((log) => log.error({ err: error }, 'Failed'));
    expect(lines[0]?.err).toMatchObject({
      type: 'TypeError',
      message: 'wrong',
      code: 'E_WRONG',
      stack: expect.any(String),
    });
  });

  it('handles circular references', () => {
    const circle: Record<string, unknown> = { name: 'round' };
    circle.self = circle;
    expect(logged((log) => log.info({ circle }, 'message')).lines).toHaveLength(1);
  });

  it('leaves the logged object unchanged', () => {
    const fields = { password: 'hunter22', at: new Date(0) };
    const { lines } = logged((log) => log.info(fields, 'message'));
    expect(fields).toEqual({ password: 'hunter22', at: new Date(0) });
    expect(lines[0]?.at).toBe('1970-01-01T00:00:00.000Z');
  });
});
