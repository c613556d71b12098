import { expect, it } from 'vitest';
import { Recorder } from '@/server/checks/record/recorder';
import type { Result } from '@/server/checks/record/write-results';

/** The maximum number of results that wait. */
const MOST = 10_000;

/** A result of a monitor of its own. */
function resultOf(id: string, hasClaim = false): Result {
  const claim = hasClaim ? { monitorId: id, region: '', state: { status: 'up' } } : null;
  const plan = { monitor: { id, teamId: 'team' }, regions: [] };
  return { plan, claim, finding: { verdict: { status: 'up' } } } as unknown as Result;
}

it('keeps 10,000 results while the database cannot be written, and drops the oldest ones without a claim', async () => {
  const recorded: string[] = [];
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const recorder = new Recorder(async (results) => {
    await answered;
    const ids = results.map(({ plan }) => plan.monitor.id);
    recorded.push(...ids);
    return new Map(ids.map((id) => [id, null]));
  });
  // Written at once, and the others wait for it.
  recorder.addLater(resultOf('first'), () => {});
  recorder.addLater(resultOf('claimed', true), () => {});
  for (let index = 0; index < MOST + 100; index += 1) recorder.addLater(resultOf(String(index)), () => {});
  answer();
  await recorder.stop(10_000);
  // One of the 10,000 places is that of the result with a claim.
  const dropped = 101;
  expect(recorded).toHaveLength(1 + MOST);
  expect(recorded).toContain('claimed');
  expect(recorded).not.toContain(String(dropped - 1));
  expect(recorded).toContain(String(dropped));
  expect(recorded).toContain(String(MOST + 99));
});
