import { describe, expect, it } from 'vitest';
import { isComplete, toSetup } from '@/app/_components/setup/setup';

const page = {};
const policy = {};

describe('the setup of a team', () => {
  it('notifies nobody without a channel and an escalation policy, or with an unconfirmed address only', () => {
    expect(toSetup([], [], [page])).toMatchObject({ hasChannel: false, isNotified: false });
    expect(toSetup([{ confirmation: 'pending' }], [], [page])).toMatchObject({ hasChannel: true, isNotified: false });
    expect(toSetup([], [policy], [page])).toMatchObject({ hasChannel: false, isNotified: true });
  });

  it('is complete with a status page, and a channel or an escalation policy that notifies', () => {
    const channels = [{ confirmation: 'pending' }, {}];
    expect(isComplete(toSetup(channels, [], [page]))).toBe(true);
    expect(isComplete(toSetup([], [policy], [page]))).toBe(true);
    expect(isComplete(toSetup(channels, [], []))).toBe(false);
    expect(isComplete(toSetup([{ confirmation: 'pending' }], [], [page]))).toBe(false);
  });
});
