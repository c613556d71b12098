'use client';

import { useQuery } from '@tanstack/react-query';
import { channelName, channelNote } from '@/app/_components/channels';
import { useTRPC } from '@/app/_trpc/client';
import { channelKinds } from '@/server/channel-lists/values';
import type { EscalationTarget } from '@/server/on-call/schema';
import { usePeople } from './use-people';

/** The text for whom a target notifies now. */
export interface TargetWords {
  name: string;
  /** Who is on call now, or how the person is reached. */
  note: string;
  isReached: boolean;
}

const unreached = { note: 'not reached', isReached: false };

/** The possible targets of a step, and their texts. */
export function useTargets() {
  const trpc = useTRPC();
  const people = usePeople() ?? [];
  const onCall = useQuery(trpc.onCall.now.queryOptions({})).data?.onCall ?? [];
  const channels = useQuery(trpc.notifications.list.queryOptions({ limit: 100 })).data?.channels ?? [];
  const methodsOf = (userId: string | undefined) => {
    const { methods = [], usesAccountEmail = false } = people.find(({ user }) => user.id === userId) ?? {};
    const labels = [
      ...new Set(methods.map(({ type, state }) => channelName({ name: channelKinds[type].label, state }))),
    ];
    const ways = [...labels, ...(usesAccountEmail ? ['email address of the account'] : [])];
    const isReached = usesAccountEmail || methods.some(({ state }) => state !== 'failing');
    return { note: ways.join(', ') || 'no contact method', isReached };
  };
  const words = ({ type, id }: EscalationTarget): TargetWords => {
    if (type === 'user') {
      const name = people.find(({ user }) => user.id === id)?.user.name;
      return name ? { name, ...methodsOf(id) } : { name: 'Left the team', ...unreached };
    }
    if (type === 'schedule') {
      const found = onCall.find(({ scheduleId }) => scheduleId === id);
      if (!found) return { name: 'Deleted schedule', ...unreached };
      const { user } = found.shift;
      if (!user) return { name: found.scheduleName, note: 'nobody now', isReached: false };
      const { note, isReached } = methodsOf(user.id);
      return { name: found.scheduleName, note: `${user.name} now, ${note}`, isReached };
    }
    const channel = channels.find((each) => each.id === id);
    return channel
      ? { name: channel.name, note: channelNote(channel), isReached: true }
      : { name: 'Deleted channel', ...unreached };
  };
  const options: { target: EscalationTarget; label: string }[] = [
    ...onCall.map(({ scheduleId: id, scheduleName }) => ({
      target: { type: 'schedule' as const, id },
      label: `Schedule: ${scheduleName}`,
    })),
    ...people.map(({ user }) => ({ target: { type: 'user' as const, id: user.id }, label: `Person: ${user.name}` })),
    ...channels.map((channel) => ({
      target: { type: 'channel' as const, id: channel.id },
      label: `Channel: ${channelName(channel)}`,
    })),
  ];
  return { options, words };
}
