import { describe, expect, it } from 'vitest';
import { evaluateApart as evaluateOf } from '@/server/monitor-types/evaluation/evaluate-apart';
import { type HttpAssertion, HttpConfig } from '@/server/monitor-types/schema';
import { answer, observation } from '@/tests/unit/checks/observations';

// Modules of its own: evaluations of other files would occupy its threads.

const never = new AbortController().signal;
const evaluateApart = (asked: ReturnType<typeof question>, signal: AbortSignal, team = 'team') =>
  evaluateOf(asked, team, signal);

function question(assertion: HttpAssertion, body: string, headers: Record<string, string> = {}) {
  const config = HttpConfig.parse({ url: 'http://example.test/', assertions: [assertion] });
  return {
    target: { type: 'http' as const, config },
    observation: observation({ evidence: answer({ body, headers }) }),
    at: new Date('2026-11-20T12:00:00Z'),
  };
}

const json = (property: string, value: string): HttpAssertion => ({
  source: 'json',
  property,
  operator: 'equals',
  value,
});
const slowPath: HttpAssertion = { source: 'json', property: '$[?count($..*) > 0]', operator: 'exists' };
const zeros = JSON.stringify(new Array(5_500).fill(0));
const slowPattern: HttpAssertion = {
  source: 'body',
  operator: 'matches',
  value: 'a[ab]{1000}[ab]{1000}[ab]{1000}[cd]',
};
const late = { status: 'down', error: 'The assertions could not be evaluated within 500 ms' };

/** How often the event loop ran while a promise was pending. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 10);
  await work.finally(() => clearInterval(timer));
  return turns;
}

describe('evaluateApart', () => {
  it('returns the same as evaluating in process', async () => {
    const body = '{"status":"ok"}';
    expect(await evaluateApart(question(json('$.status', 'ok'), body), never)).toEqual({ status: 'up', error: null });
    expect(await evaluateApart(question(json('$.status', 'bad'), body), never)).toEqual({
      status: 'down',
      error: 'Expected $.status to be "bad", got "ok"',
    });
    const strange = { 'content-type': 'text/plain; charset=none-such' };
    const pattern: HttpAssertion = { source: 'body', operator: 'matches', value: '^é$' };
    expect(await evaluateApart(question(pattern, 'é', strange), never)).toEqual({ status: 'up', error: null });
  });

  it.each([
    ['path', question(slowPath, zeros)],
    ['pattern', question(slowPattern, 'ab'.repeat(128 * 1024))],
  ])('ends a slow %s without blocking the process', async (_name, slow) => {
    const verdict = evaluateApart(slow, never);
    expect(await turnsDuring(verdict)).toBeGreaterThan(10);
    expect(await verdict).toEqual(late);
  });

  it('answers the next in the queue after one that was ended', async () => {
    const quick = question(json('$.status', 'ok'), '{"status":"ok"}');
    const slow = question(slowPath, zeros);
    const verdicts = await Promise.all([slow, slow, quick, quick].map((each) => evaluateApart(each, never)));
    const up = { status: 'up', error: null };
    expect(verdicts).toEqual([late, late, up, up]);
  });

  it('does not hold up a fast evaluation behind a slow one', async () => {
    const quick = question(json('$.status', 'ok'), '{"status":"ok"}');
    await Promise.all([evaluateApart(quick, never), evaluateApart(quick, never)]);
    const slow = evaluateApart(question(slowPath, zeros), never);
    expect(await Promise.race([slow, evaluateApart(quick, never)])).toEqual({ status: 'up', error: null });
    expect(await slow).toEqual(late);
  });

  it('delays another team by one evaluation at most, whatever patterns a team has', {
    timeout: 60_000,
  }, async () => {
    const quick = question(json('$.status', 'ok'), '{"status":"ok"}');
    await Promise.all([evaluateApart(quick, never, 'quiet'), evaluateApart(quick, never, 'noisy')]);
    const ended: string[] = [];
    const slow = Array.from({ length: 5 }, () =>
      evaluateApart(question(slowPath, zeros), never, 'noisy').then(() => ended.push('slow')),
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    const verdict = await evaluateApart(quick, never, 'quiet');
    expect(ended.length).toBeLessThanOrEqual(1);
    expect(verdict).toEqual({ status: 'up', error: null });
    await Promise.all(slow);
  });

  it('stops when the caller aborts', async () => {
    const stopped = AbortSignal.abort(new Error('The worker stops'));
    const quick = question(json('$.status', 'ok'), '{"status":"ok"}');
    await expect(evaluateApart(quick, stopped)).rejects.toThrow('The worker stops');
    expect(await evaluateApart(quick, never)).toEqual({ status: 'up', error: null });
  });
});
