import { describe, expect, it } from 'vitest';
import { confirmationOf } from '@/server/checks/schedule/plan';

const of = (type: 'http' | 'heartbeat', confirm?: object) => confirmationOf({ type, config: { confirm }, regions: [] });

describe('the policy of a monitor', () => {
  it.each([
    ['with the defaults', of('http'), true],
    ['whose delay between rechecks was set', of('http', { retryDelayMs: 5_000 }), false],
    ['whose failures were set', of('http', { failures: 1 }), false],
    ['whose recoveries were set', of('http', { recoveries: 1 }), false],
    ['that is a heartbeat', of('heartbeat'), false],
  ])('says of one %s whether a relapse is flapping', (_name, policy, countsRelapses) => {
    expect(policy).toMatchObject({ countsRelapses });
  });
});
