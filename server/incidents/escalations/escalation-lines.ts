import type { Effect } from '@/server/on-call/escalation/advance';

interface ShownChannel {
  name: string;
  /** The name of its kind. */
  label: string;
}

const inWords = (words: string[]) =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? '');

const place = (step: number, round: number) => `step ${step + 1}${round > 0 ? ` of round ${round + 1}` : ''}`;

/** The lines of an incident's story about a move of its escalation, in order: one for each person and step. */
export function linesOf(
  effects: Effect[],
  firstRound: number,
  names: ReadonlyMap<string, string>,
  channels: ReadonlyMap<string, ShownChannel>,
): string[] {
  const lines = new Map<string, { text: (by: string[]) => string; by: string[] }>();
  for (const [index, effect] of effects.entries()) {
    switch (effect.kind) {
      case 'send': {
        const { step, round, userId, channelId } = effect;
        const channel = channels.get(channelId);
        // Deleted in the moment in which it was to be used.
        if (!channel) break;
        const key = `${round} ${step} ${userId ?? channelId}`;
        const who = userId === null ? channel.name : (names.get(userId) ?? 'A member');
        const known = lines.get(key) ?? {
          text: (by: string[]) =>
            `${who} was notified${userId === null ? '' : ` by ${inWords([...new Set(by)])}`}, ${place(step, round - firstRound)}.`,
          by: [],
        };
        known.by.push(channel.label);
        lines.set(key, known);
        break;
      }
      case 'missing': {
        const { text, step, isEmpty } = effect;
        const suffix = isEmpty ? ` Step ${step + 1} reached nobody.` : '';
        lines.set(`missing ${index}`, { text: () => `${text}${suffix}`, by: [] });
        break;
      }
      case 'finished':
        lines.set('finished', { text: () => 'The escalation ended: nobody acknowledged the incident.', by: [] });
        break;
      default:
        effect satisfies never;
    }
  }
  return [...lines.values()].map(({ text, by }) => text(by));
}
