'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { channelName } from '@/app/_components/channels';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { Section } from '@/app/_components/page';
import { toast } from '@/app/_components/toast/toast';
import { Field } from '@/app/_components/ui/field';
import { Select } from '@/app/_components/ui/select';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { Channel } from '@/server/notifications/schema';

/** Stands for "none", because a select cannot have an empty value. */
const NONE = 'none';

const toOptions = (channels: Channel[]) =>
  channels.map((channel) => ({ value: channel.id, label: channelName(channel) }));

/** The name of a channel's fallback; null without one, undefined while it loads. */
export function useFallbackName(channel: Channel | undefined): string | null | undefined {
  const trpc = useTRPC();
  const ofTeam = useQuery(trpc.notifications.teamFallback.get.queryOptions()).data?.fallbackChannelId;
  const channels = useQuery(trpc.notifications.list.queryOptions({ limit: 100 })).data?.channels;
  if (!channel || !channels || ofTeam === undefined) return undefined;
  const id = channel.fallbackChannelId ?? ofTeam;
  return id === channel.id ? null : (channels.find((each) => each.id === id)?.name ?? null);
}

/** The setting for a channel's fallback. Saved at once. */
export function ChannelFallback({ channel }: { channel: Channel }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const channels = useQuery(trpc.notifications.list.queryOptions({ limit: 100 })).data?.channels;
  const ofTeam = useQuery(trpc.notifications.teamFallback.get.queryOptions()).data?.fallbackChannelId;
  const setting = useMutation(
    trpc.notifications.setFallback.mutationOptions({
      onSuccess: () => {
        toast('Saved');
        void queryClient.invalidateQueries(trpc.notifications.pathFilter());
      },
    }),
  );
  if (!channels || ofTeam === undefined) return null;
  const isTeams = ofTeam === channel.id;
  const teams = channels.find(({ id }) => id === ofTeam)?.name;
  const others = toOptions(channels.filter(({ id }) => id !== channel.id));
  const options = [{ value: NONE, label: teams ? `Fallback of the team: ${teams}` : 'None' }, ...others];
  return (
    <Section title="Fallback">
      {isTeams ? (
        <p className="text-muted">This is the fallback channel of the team.</p>
      ) : (
        <Field label="Fallback channel" help="Gets the alerts of this channel while it fails.">
          <Select<string>
            options={options}
            value={channel.fallbackChannelId ?? NONE}
            disabled={setting.isPending}
            onValueChange={(next) => setting.mutate({ id: channel.id, fallbackChannelId: next === NONE ? null : next })}
          />
        </Field>
      )}
      <FormProblem>{setting.error ? readApiError(setting.error).message : null}</FormProblem>
    </Section>
  );
}

/** The setting for the team's fallback channel. Saved at once. */
export function TeamFallback({ channels, canChange }: { channels: Channel[]; canChange: boolean }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery(trpc.notifications.teamFallback.get.queryOptions());
  const setting = useMutation(
    trpc.notifications.teamFallback.set.mutationOptions({
      onSuccess: (saved) => {
        queryClient.setQueryData(trpc.notifications.teamFallback.get.queryKey(), saved);
        toast('Saved');
      },
    }),
  );
  if (!query.data) return null;
  const options = [{ value: NONE, label: 'None' }, ...toOptions(channels)];
  return (
    <Section title="Fallback" className="max-w-[560px]">
      <Field
        label="Fallback channel"
        help="Gets the alerts of a channel that fails. The owners of the team get an email too."
      >
        <Select<string>
          options={options}
          value={query.data.fallbackChannelId ?? NONE}
          disabled={!canChange || setting.isPending}
          onValueChange={(next) => setting.mutate({ fallbackChannelId: next === NONE ? null : next })}
        />
      </Field>
      <FormProblem>{setting.error ? readApiError(setting.error).message : null}</FormProblem>
    </Section>
  );
}
