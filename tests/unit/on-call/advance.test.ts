import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advance,
  type Effect,
  type EscalationState,
  nextMoveAt,
  type Reach,
} from '@/server/on-call/escalation/advance';
import { type Call, settle } from '@/server/on-call/escalation/settle';
import { MINUTE_MS } from '@/server/time/schema';

const T0 = Date.parse('2026-11-17T03:21:00Z');
const at = (minutes: number) => new Date(T0 + minutes * MINUTE_MS);

const start = (changes: Partial<EscalationState> = {}): EscalationState => ({
  status: 'running',
  round: 0,
  lastRound: 0,
  step: -1,
  nextStepAt: at(0),
  pending: [],
  ...changes,
});
const nobody: Reach = { people: [], channelIds: [], canReach: false, missing: ['Nobody is on call in Payments.'] };
const channel = (channelId: string): Reach => ({
  people: [],
  channelIds: [channelId],
  canReach: true,
  missing: [],
});
const mara: Reach = {
  people: [
    {
      userId: 'mara',
      methods: [
        { channelId: 'push', delayMinutes: 3 },
        { channelId: 'sms', delayMinutes: 2 },
        { channelId: 'call', delayMinutes: 60 },
      ],
    },
  ],
  channelIds: [],
  canReach: true,
  missing: [],
};

const noAccount = () => null;

/** A message that was accepted so many minutes after the start. */
const acceptedCall = (minutes: number, channelId = 'push', userId: string | null = 'mara'): Call => {
  return { channelId, userId, acceptedAt: at(minutes), hasFailed: false };
};

/**
 * Runs an escalation whenever it is due, at most until a time, and lists what happens: "0 push" is 0 min after the start. The first message of each
 * step is accepted at once.
 */
function run(reaches: Reach[], state: EscalationState, { waits = 5, until = 1_000, accepts = true } = {}) {
  const plan = { steps: reaches.map(() => ({ waitMinutes: waits })) };
  const happened: string[] = [];
  let present = state;
  for (let due = nextMoveAt(present); due && due <= at(until); due = nextMoveAt(present)) {
    const now = due;
    const moved = advance(present, plan, (step) => reaches[step] ?? nobody, now);
    const shown = (effect: Effect) =>
      effect.kind === 'send' ? `${effect.round}/${effect.step} ${effect.channelId}` : effect.kind;
    happened.push(...moved.effects.map((effect) => `${(now.getTime() - T0) / MINUTE_MS} ${shown(effect)}`));
    present = moved.state;
    const isSent = moved.effects.some((effect) => effect.kind === 'send' && effect.step === present.step);
    const minutes = (now.getTime() - T0) / MINUTE_MS;
    if (accepts && isSent) present = settle(present, plan, [acceptedCall(minutes)], noAccount, now);
  }
  return { happened, state: present };
}

describe('advance', () => {
  it('takes the steps one after the other and then ends', () => {
    const { happened, state } = run([channel('one'), channel('two')], start());
    expect(happened).toEqual(['0 0/0 one', '5 0/1 two', '10 finished']);
    expect(state.status).toBe('finished');
    expect(nextMoveAt(state)).toBeNull();
  });

  it('waits at most 2 min longer for a step of which nothing is accepted', () => {
    const { happened } = run([channel('one'), channel('two')], start(), { accepts: false });
    expect(happened).toEqual(['0 0/0 one', '7 0/1 two', '14 finished']);
  });

  it('calls failing channels and goes on at once', () => {
    const failing: Reach = { ...channel('one'), canReach: false, missing: ['The channel one is failing.'] };
    const { happened } = run([failing, channel('two')], start());
    expect(happened).toEqual(['0 missing', '0 0/0 one', '0 0/1 two', '5 finished']);
  });

  it('repeats all steps as often as the policy says', () => {
    const { happened } = run([channel('one'), channel('two')], start({ lastRound: 1 }));
    expect(happened).toEqual(['0 0/0 one', '5 0/1 two', '10 1/0 one', '15 1/1 two', '20 finished']);
  });

  it('uses the first contact method at once and the others after their delays, at the latest when the step ends', () => {
    const { happened } = run([mara, channel('two')], start());
    expect(happened).toEqual(['0 0/0 push', '2 0/0 sms', '5 0/0 call', '5 0/1 two', '10 finished']);
  });

  it('goes on at once from a step that reaches nobody', () => {
    const { happened } = run([nobody, channel('two')], start());
    expect(happened).toEqual(['0 missing', '0 0/1 two', '5 finished']);
  });

  it('waits before it repeats a round in which nobody was reached', () => {
    const { happened } = run([nobody, nobody], start({ lastRound: 1 }));
    expect(happened).toEqual(['0 missing', '0 missing', '5 missing', '5 missing', '10 finished']);
  });

  it('sends one message to a channel if two targets of a step name it', () => {
    const twice = { ...mara, channelIds: ['push', 'push'] };
    expect(run([twice], start(), { until: 0 }).happened).toEqual(['0 0/0 push']);
  });

  it('takes one step after a long absence of the worker, and then waits its full time', () => {
    const { state, effects } = advance(
      start({ step: 0, nextStepAt: at(5) }),
      { steps: [{ waitMinutes: 5 }, { waitMinutes: 5 }, { waitMinutes: 5 }] },
      () => channel('late'),
      at(300),
    );
    expect(effects).toEqual([{ kind: 'send', round: 0, step: 1, channelId: 'late', userId: null }]);
    expect(state.nextStepAt).toEqual(at(307));
  });

  it.each(['stopped', 'finished'] as const)('does nothing once it is %s', (status) => {
    const { effects } = advance(start({ status }), { steps: [{ waitMinutes: 1 }] }, () => mara, at(100));
    expect(effects).toEqual([]);
  });

  it('does nothing before it is due', () => {
    const given = start({
      step: 0,
      nextStepAt: at(5),
      pending: [{ channelId: 'sms', userId: 'mara', at: at(2).toISOString() }],
    });
    expect(advance(given, { steps: [{ waitMinutes: 5 }] }, () => mara, at(1))).toEqual({ state: given, effects: [] });
  });

  it('neither skips nor repeats a message, whenever it runs', () => {
    const reaches = [mara, channel('two'), nobody, channel('four')];
    const plan = { steps: reaches.map(() => ({ waitMinutes: 5 })) };
    const looks = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 60, maxLength: 90 });
    const property = fc.property(looks, (gaps) => {
      let state = start({ lastRound: 1 });
      const sent: string[] = [];
      let now = 0;
      for (const gap of gaps) {
        now += gap;
        const moved = advance(state, plan, (step) => reaches[step] ?? nobody, at(now));
        sent.push(
          ...moved.effects.flatMap((each) =>
            each.kind === 'send' ? `${each.round}/${each.step} ${each.channelId}` : [],
          ),
        );
        state = moved.state;
      }
      const all = [0, 1].flatMap((round) =>
        ['0 push', '0 sms', '0 call', '1 two', '3 four'].map((key) => `${round}/${key}`),
      );
      expect(new Set(sent).size).toBe(sent.length);
      expect(sent).toEqual(all.slice(0, sent.length));
      if (state.status === 'finished') expect(sent).toEqual(all);
    });
    fc.assert(property, { numRuns: 200 });
  });
});

describe('settle', () => {
  const plan = { steps: [{ waitMinutes: 5 }, { waitMinutes: 5 }] };
  const failed = (channelId: string, userId: string | null = 'mara'): Call => {
    return { channelId, userId, acceptedAt: null, hasFailed: true };
  };
  const retried = (channelId: string, userId: string | null = 'mara'): Call => ({
    ...failed(channelId, userId),
    hasFailed: false,
  });
  const way = (channelId: string, minutes: number, userId = 'mara') => ({
    channelId,
    userId,
    at: at(minutes).toISOString(),
  });
  const present = (changes: Partial<EscalationState> = {}) => start({ step: 0, nextStepAt: at(7), ...changes });

  it('starts the wait when the first message is accepted', () => {
    const calls = [acceptedCall(1.5, 'sms'), acceptedCall(0.5), retried('call')];
    expect(settle(present(), plan, calls, noAccount, at(2)).nextStepAt).toEqual(at(5.5));
  });

  it('does not extend the wait for a message that is accepted later', () => {
    expect(settle(present(), plan, [acceptedCall(6)], noAccount, at(6)).nextStepAt).toEqual(at(7));
    const accepted = settle(present(), plan, [acceptedCall(1)], noAccount, at(1));
    expect(settle(accepted, plan, [acceptedCall(1), acceptedCall(3, 'sms')], noAccount, at(3))).toEqual(accepted);
  });

  it('changes nothing while messages are retried', () => {
    expect(settle(present(), plan, [failed('push'), retried('sms')], noAccount, at(1))).toEqual(present());
  });

  it('begins the next step if all messages failed for good', () => {
    expect(settle(present(), plan, [failed('push'), failed('ops', null)], noAccount, at(1)).nextStepAt).toEqual(at(1));
  });

  it('waits after the last step of a round in which all messages failed', () => {
    const last = present({ step: 1 });
    expect(settle(last, plan, [failed('push')], noAccount, at(1)).nextStepAt).toEqual(at(6));
  });

  it('uses the next contact method of a person at once if the others failed', () => {
    const given = present({ pending: [way('call', 5), way('sms', 3), way('other', 4, 'ada')] });
    const { pending, nextStepAt } = settle(
      given,
      plan,
      [failed('push'), acceptedCall(1, 'mail', 'ada')],
      noAccount,
      at(1),
    );
    expect(pending).toEqual([way('call', 5), way('sms', 1), way('other', 4, 'ada')]);
    expect(nextStepAt).toEqual(at(6));
  });

  it('uses the email address of the account, once, if no other way is left', () => {
    const account = (userId: string) => `account of ${userId}`;
    const first = settle(present(), plan, [failed('push')], account, at(1));
    expect(first).toEqual(present({ pending: [way('account of mara', 1)] }));
    const second = settle(present(), plan, [failed('push'), failed('account of mara')], account, at(2));
    expect(second).toEqual(present({ nextStepAt: at(2) }));
  });

  it('changes nothing once the escalation is over', () => {
    const given = present({ status: 'stopped' });
    expect(settle(given, plan, [failed('push')], noAccount, at(1))).toEqual(given);
  });
});
