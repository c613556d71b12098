'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { DeleteButton } from '@/app/_components/delete-button';
import { useEdit } from '@/app/_components/forms/use-edit';
import { ManagedByGit } from '@/app/_components/managed-by-git';
import { NotLoaded } from '@/app/_components/not-loaded';
import { type Use, UsedBy, usesText } from '@/app/_components/on-call/used-by';
import { DetailList, PageHead, Section } from '@/app/_components/page';
import { toast } from '@/app/_components/toast/toast';
import { useTitle } from '@/app/_components/use-title';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import { type Channel, type CreateChannelInput, channelDefinitionOf } from '@/server/notifications/schema';
import { CallbackUrl } from './callback-url';
import { ChannelForm } from './channel-form';
import { ChannelNotice } from './channel-notice';
import { ChannelRulesSection } from './channel-rules';
import { ChannelStateLabel } from './channel-state';
import { ConfirmationState } from './confirmation';
import { Deliveries } from './deliveries';
import { channelTitle, destinationOf } from './destination';
import { ChannelFallback, useFallbackName } from './fallback';
import { SigningSecret } from './signing-secret';
import { Templates } from './templates';
import { useChannelUses } from './use-channel-uses';

export interface ChannelViewProps {
  id: string;
  initial: { channel: Channel } | undefined;
  canWrite: boolean;
}

/** The page of a channel: settings, test and deliveries. */
export function ChannelView({ id, initial, canWrite }: ChannelViewProps) {
  const trpc = useTRPC();
  const [isDeleting, setDeleting] = useState(false);
  const query = useQuery(
    trpc.notifications.get.queryOptions({ id }, { enabled: !isDeleting, ...(initial && { initialData: initial }) }),
  );
  const channel = query.data?.channel;
  const fallback = useFallbackName(channel);
  const uses = useChannelUses(id, !isDeleting);
  useTitle(channelTitle(channel));
  if (!channel) return <NotLoaded query={query} noun="the channel" />;
  return (
    <>
      <PageHead title={channel.name} note={channelDefinitionOf(channel.type).label}>
        <ManagedByGit externalId={channel.externalId} />
        <ChannelStateLabel channel={channel} />
        {canWrite ? <DeleteChannel channel={channel} uses={uses ?? []} onDeleting={setDeleting} /> : null}
      </PageHead>
      <ChannelNotice channel={channel} fallback={fallback ?? null} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8 xl:grid-cols-[minmax(0,560px)_minmax(0,1fr)] xl:gap-10">
        <div className="min-w-0">
          {canWrite ? (
            <>
              <Section title="Settings">
                <EditChannel key={channel.id} channel={channel} />
              </Section>
              {channel.confirmation ? <ConfirmationState channel={channel} canWrite /> : null}
              {channelDefinitionOf(channel.type).signingSecret ? <SigningSecret channel={channel} /> : null}
              <CallbackUrl channel={channel} />
              <ChannelFallback channel={channel} />
              <ChannelRulesSection channel={channel} />
              {channelDefinitionOf(channel.type).mirrorsIncidents ? null : (
                <Templates key={`templates-${channel.id}`} channel={channel} />
              )}
            </>
          ) : (
            <>
              <Section title="Settings">
                <DetailList facts={[['Destination', destinationOf(channel)]]} />
              </Section>
              {channel.confirmation ? <ConfirmationState channel={channel} canWrite={false} /> : null}
            </>
          )}
        </div>
        <div className="min-w-0">
          <UsedBy
            uses={uses}
            nothing="Only monitors that alert all channels. It is not in an escalation policy, and it is not a fallback channel."
          />
          <Deliveries channelId={channel.id} isDeleting={isDeleting} canWrite={canWrite} />
        </div>
      </div>
    </>
  );
}

function EditChannel({ channel }: { channel: Channel }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const updating = useMutation(trpc.notifications.update.mutationOptions());
  const { base, key, conflict, onSave, ...edit } = useEdit({
    latest: channel,
    save: async ({ name, config }: CreateChannelInput, ifUpdatedAt) =>
      (await updating.mutateAsync({ id: channel.id, name, config, ifUpdatedAt })).channel,
    read: async () => {
      const options = trpc.notifications.get.queryOptions({ id: channel.id }, { staleTime: 0 });
      return (await queryClient.fetchQuery(options)).channel;
    },
    onSaved: ({ name }) => {
      toast(`Saved ${name}`);
      void queryClient.invalidateQueries(trpc.notifications.pathFilter());
    },
  });
  return (
    <>
      <ChannelForm key={key} type={base.type} channel={base} edit={edit} onSave={onSave} />
      {conflict}
    </>
  );
}

interface DeleteChannelProps {
  channel: Channel;
  uses: readonly Use[];
  onDeleting: (isDeleting: boolean) => void;
}

function DeleteChannel({ channel, uses, onDeleting }: DeleteChannelProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const router = useRouter();
  const queryClient = useQueryClient();
  return (
    <DeleteButton
      name={channel.name}
      verb="Delete channel"
      remove={() => client.notifications.delete.mutate({ id: channel.id })}
      onDeleting={onDeleting}
      onDeleted={() => {
        void queryClient.invalidateQueries(trpc.notifications.list.pathFilter());
        router.push('/channels');
      }}
    >
      It stops sending notifications, and its deliveries are deleted.
      {uses.length > 0 ? ` It is used by ${usesText(uses)}, which will no longer notify it.` : null}
    </DeleteButton>
  );
}
