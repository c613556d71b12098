import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readFileTask } from '@/server/imports/read-file-task';
import { compileTask } from '@/server/monitor-types/evaluation/assert-expressions';
import { runBounded } from '@/server/platform/bounded/run-bounded';
import { LimitError } from '@/server/platform/bounded/task';

const pattern = (source: string) => [{ kind: 'pattern' as const, path: 'pattern', source }];
/** Takes seconds to compile. */
const SLOW = pattern('\\PL{1000}'.repeat(900));
const team = 'team';
const compile = async (source: string, task = compileTask) =>
  (await runBounded(task, pattern(source), { team })).faults;

describe('runBounded', () => {
  it('returns what the task returns', async () => {
    expect(await compile('^ok$')).toEqual([]);
    expect(await compile('(')).toMatchObject([{ path: 'pattern' }]);
  });

  it('refuses an input that is too large before it reaches a thread', async () => {
    const error = await compile('a'.repeat(2_000), { ...compileTask, maxInputBytes: 1_024 }).catch((reason) => reason);
    expect(error).toBeInstanceOf(LimitError);
    expect(error).toMatchObject({ kind: 'input', limit: '1 KiB of input' });
  });

  it('refuses an output that is too large, and keeps the thread', async () => {
    await expect(compile('(', { ...compileTask, maxOutputBytes: 10 })).rejects.toMatchObject({ kind: 'output' });
    expect(await compile('^ok$')).toEqual([]);
  });

  it('terminates a task that exceeds its time', async () => {
    await expect(runBounded(compileTask, SLOW, { team })).rejects.toMatchObject({ kind: 'time', limit: '250 ms' });
    expect(await compile('^ok$')).toEqual([]);
  });

  it('terminates a running task when its caller gives up', async () => {
    await compile('warm');
    const patient = { ...compileTask, budgetMs: 60_000 };
    const signal = AbortSignal.timeout(100);
    await expect(runBounded(patient, SLOW, { team, signal })).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(await compile('^ok$')).toEqual([]);
  });

  it('ends a task that exceeds its memory in native code, and serves another team meanwhile', async () => {
    // Millions of lines are split at once, which takes more than the memory of a task.
    const file = gzipSync('abc\n'.repeat(8_000_000));
    const large = runBounded(readFileTask, { source: 'urls', file, now: new Date() }, { team });
    const [error, faults] = await Promise.all([
      large.catch((reason) => reason),
      runBounded(compileTask, pattern('^ok$'), { team: 'another' }),
    ]);
    expect(error).toBeInstanceOf(LimitError);
    expect(error).toMatchObject({ kind: 'memory', limit: '256 MB of memory' });
    expect(faults).toMatchObject({ faults: [] });
    const small = { source: 'urls' as const, file: Buffer.from('https://shop.example\n'), now: new Date() };
    expect(await runBounded(readFileTask, small, { team })).toMatchObject({ draft: { monitors: [{}] } });
  }, 120_000);

  it('runs small inputs at once on the thread of the caller', async () => {
    const task = { ...compileTask, name: 'in-no-list', isSmall: () => true };
    expect(await compile('^ok$', task)).toEqual([]);
  });

  it('rejects a task that the threads do not know', async () => {
    await expect(compile('^ok$', { ...compileTask, name: 'in-no-list' })).rejects.toThrow('app/threads.ts');
  });
});
