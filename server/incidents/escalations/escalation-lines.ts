import type { Effect } from '@/server/on-call/escalation/advance';
import type { ShownCall } from './read-calls';
import type { TakenStep } from './step-key';

/** A line of an incident's timeline that says how a step reached one person or channel. It is updated when further messages are accepted. */
export interface CallLine {
  key: string;
  message: string;
  at: Date;
}

const inWords = (words: string[]) =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? '');

const place = ({ round, step }: TakenStep, firstRound: number) =>
  `step ${step + 1}${round > firstRound ? ` of round ${round - firstRound + 1}` : ''}`;

const MOST_OF_ERROR = 200;

const reason = (error: string) => (error.length > MOST_OF_ERROR ? `${error.slice(0, MOST_OF_ERROR)}…` : error);

/**
 * Returns the lines about the messages of a step, one per person or channel: "notified" once a provider accepted one of them; "not reached" when
 * all of them failed permanently and no contact method is left.
 */
export function callLines(
  calls: ShownCall[],
  taken: TakenStep,
  {
    firstRound,
    names,
    hasMoreWays,
  }: { firstRound: number; names: ReadonlyMap<string, string>; hasMoreWays: (userId: string) => boolean },
): CallLine[] {
  const whoOf = ({ userId, channelId }: ShownCall) => userId ?? channelId;
  const where = place(taken, firstRound);
  const key = (what: string, who: string) => `${what}:${taken.round}:${taken.step}:${who}`;
  return [...new Set(calls.map(whoOf))].flatMap((who) => {
    const own = calls.filter((call) => whoOf(call) === who);
    const [first] = own;
    if (!first) return [];
    const name = first.userId === null ? first.channelName : (names.get(first.userId) ?? 'A member');
    const accepted = own.flatMap(({ acceptedAt, label }) => (acceptedAt ? [{ at: acceptedAt, label }] : []));
    if (accepted.length > 0) {
      accepted.sort((a, b) => a.at.getTime() - b.at.getTime());
      const by = first.userId === null ? '' : ` by ${inWords([...new Set(accepted.map(({ label }) => label))])}`;
      const at = accepted[0]?.at ?? new Date();
      return [{ key: key('notified', who), message: `${name} was notified${by}, ${where}.`, at }];
    }
    const failed = own.flatMap(({ failure, label }) => (failure ? [{ ...failure, label }] : []));
    if (failed.length < own.length || (first.userId !== null && hasMoreWays(first.userId))) return [];
    const why = failed.map(({ label, error }) =>
      first.userId === null ? reason(error) : `${label}: ${reason(error)}`,
    );
    const at = new Date(Math.max(...failed.map((each) => each.at.getTime())));
    return [{ key: key('unreached', who), message: `${name} could not be reached (${why.join('; ')}), ${where}.`, at }];
  });
}

/** Returns the lines about missing people and the end of an escalation, in order. Messages get their lines later (`callLines`). */
export function moveLines(effects: Effect[]): string[] {
  return effects.flatMap((effect) => {
    switch (effect.kind) {
      case 'send':
        return [];
      case 'missing':
        return [effect.text + (effect.isEmpty ? ` Step ${effect.step + 1} reached nobody.` : '')];
      case 'finished':
        return ['The escalation ended: nobody acknowledged the incident.'];
      default:
        return effect satisfies never;
    }
  });
}
