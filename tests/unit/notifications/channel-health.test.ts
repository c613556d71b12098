import { describe, expect, it } from 'vitest';
import {
  afterOutcomes,
  type ChannelHealth,
  nextReview,
  type Outcome,
  review,
} from '@/server/notifications/deliveries/channel-health';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 22, 12, 0, seconds));
const untested: ChannelHealth = {
  deliveredAt: null,
  failingSince: null,
  failedMessages: 0,
  failedAt: null,
  lastError: null,
};
const accepted = (seconds: number): Outcome => ({ at: at(seconds), error: null, isFirst: true, isFinal: true });
const failed = (seconds: number, more: Partial<Outcome> = {}): Outcome => ({
  at: at(seconds),
  error: 'Slack answered 503',
  isFirst: true,
  isFinal: false,
  ...more,
});
const final = (seconds: number) => failed(seconds, { isFinal: true });
const again = (seconds: number) => failed(seconds, { isFirst: false });

function stateAfter(outcomes: Outcome[]) {
  const { failedAt, failingSince, failedMessages } = afterOutcomes(untested, outcomes);
  return { state: failedAt ? 'failing' : failingSince ? 'retrying' : 'delivering', failedMessages };
}

describe('channel health', () => {
  it.each([
    ['one message was accepted', [accepted(0)], 'delivering', 0],
    ['one message failed and is retried', [failed(0)], 'retrying', 1],
    ['one message was given up', [final(0)], 'failing', 1],
    ['three messages failed at once', [failed(0), failed(1), failed(2)], 'retrying', 3],
    ['three messages failed, one of them a minute later', [failed(0), failed(1), failed(60)], 'failing', 3],
    ['two messages failed, one of them nine minutes later', [failed(0), failed(540)], 'retrying', 2],
    ['one message failed for ten minutes', [failed(0), again(600)], 'failing', 1],
    ['a retry failed, which is no other message', [failed(0), again(5), again(20), again(65)], 'retrying', 1],
    ['a message was accepted after others failed', [failed(0), failed(61), accepted(62)], 'delivering', 0],
    ['a message failed after another was accepted', [failed(0), failed(1), accepted(2), failed(70)], 'retrying', 1],
    ['the results arrive in another order', [accepted(2), failed(70), failed(1), failed(0)], 'retrying', 1],
  ] as const)('is right if %s', (_case, outcomes, state, failedMessages) => {
    expect(stateAfter([...outcomes])).toEqual({ state, failedMessages });
  });

  it('keeps when the failures began, and the latest error', () => {
    const health = afterOutcomes(untested, [failed(0), final(30), failed(90, { error: 'Slack answered 404' })]);
    expect(health).toMatchObject({ failingSince: at(0), failedAt: at(30), lastError: 'Slack answered 404' });
  });

  it('writes when messages were accepted once a minute', () => {
    const first = afterOutcomes(untested, [accepted(0)]);
    expect(afterOutcomes(first, [accepted(59)]).deliveredAt).toEqual(at(0));
    expect(afterOutcomes(first, [accepted(60)]).deliveredAt).toEqual(at(60));
    expect(afterOutcomes(first, [failed(10), accepted(20)]).deliveredAt).toEqual(at(20));
  });
});

describe('review of a channel', () => {
  it('marks it without another attempt, after a minute for three messages and ten for one', () => {
    const one = afterOutcomes(untested, [failed(0)]);
    const three = afterOutcomes(untested, [failed(0), failed(1), failed(2)]);
    expect(review(three, at(59)).failedAt).toBeNull();
    expect(review(three, at(60)).failedAt).toEqual(at(60));
    expect(review(one, at(599)).failedAt).toBeNull();
    expect(review(one, at(600)).failedAt).toEqual(at(600));
    expect([nextReview(one, at(0)), nextReview(one, at(60)), nextReview(untested, at(0))]).toEqual([
      at(60),
      at(600),
      null,
    ]);
  });

  it('does not change a channel that works or is already marked', () => {
    const marked = afterOutcomes(untested, [final(0)]);
    expect(review(marked, at(900))).toBe(marked);
    expect(review(untested, at(900))).toBe(untested);
    expect(nextReview(marked, at(1))).toBeNull();
  });
});
