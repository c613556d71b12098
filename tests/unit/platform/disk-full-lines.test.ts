import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { DiskFullLines } from '@/server/platform/disk-full-lines';
import { createLog } from '@/server/platform/log';

const FULL = new Error(
  '\nInvalid `prisma.$queryRaw()` invocation:\n\ncould not extend file "base/1/2": No space left on device',
);

it('writes one error for all lines about a full disk, and every other line', () => {
  const lines: { level: string; msg: string; detail?: string }[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const log = createLog('info', destination);
  log.info('A line before');
  log.warn({ err: FULL }, 'Results could not be recorded; retrying');
  log.warn({ err: new Error('The write failed', { cause: FULL }) }, 'The schedule could not be read; retrying');
  log.error(FULL);
  log.error('Failed task 7 with error "No space left on device"');
  log.warn({ reason: 'No space left on device' }, 'A request failed because the database is unavailable');
  log.warn({ err: new Error('Another one') }, 'A line after');
  expect(lines).toMatchObject([
    { level: 'info', msg: 'A line before' },
    {
      level: 'error',
      msg: 'There is no space left for the database: what is not written yet waits until space is freed',
      detail: 'could not extend file "base/1/2": No space left on device',
    },
    { level: 'warn', msg: 'A line after' },
  ]);
});

it('repeats the error every minute', () => {
  const full = new DiskFullLines();
  expect(full.judge([{ err: FULL }], 0)).not.toBe('repeated');
  expect(full.judge([{ err: FULL }], 59_000)).toBe('repeated');
  expect(full.judge([{ err: FULL }], 61_000)).not.toBe('repeated');
  expect(full.judge(['Anything else'], 0)).toBeNull();
});
