'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter, useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { isChannelType } from '@/app/_components/channels';
import { Evidence, linkClass, PageHead } from '@/app/_components/page';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { CopyButton } from '@/app/_components/ui/copy-button';
import { useTRPC } from '@/app/_trpc/client';
import {
  type Channel,
  type ChannelType,
  type CreateChannelInput,
  channelDefinitionOf,
} from '@/server/notifications/schema';
import { ChannelForm } from './channel-form';
import { configFieldsOf } from './channel-model';
import { Gallery } from './gallery';

export interface NewChannelProps {
  initial: { channels: Channel[]; nextCursor: string | null } | undefined;
}

/** Creates a channel: a choice of kinds, then the form for the kind in the URL. */
export function NewChannel({ initial }: NewChannelProps) {
  const trpc = useTRPC();
  const type = useSearchParams().get('type') ?? '';
  const query = useQuery(
    trpc.notifications.list.queryOptions({ limit: 100 }, { ...(initial && { initialData: initial }) }),
  );
  if (isChannelType(type)) return <NewChannelOf key={type} type={type} />;
  const inUse: Partial<Record<ChannelType, number>> = {};
  for (const channel of query.data?.channels ?? []) inUse[channel.type] = (inUse[channel.type] ?? 0) + 1;
  return <Gallery inUse={inUse} />;
}

/** The labels and values of fields that were left empty and filled by the server. */
function generatedIn(channel: Channel, given: CreateChannelInput): [label: string, value: string][] {
  const made: Record<string, string> = channel.config;
  const asked: Record<string, string | undefined> = given.config;
  const { secrets } = channelDefinitionOf(channel.type);
  return configFieldsOf(channel.type).flatMap(([name, { label }]) => {
    const value = made[name];
    return value && !asked[name] && secrets[name] === 'credential' ? [[label, value] as [string, string]] : [];
  });
}

/** Creates a channel of a kind and shows generated secrets once. */
function NewChannelOf({ type }: { type: ChannelType }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const creating = useMutation(trpc.notifications.create.mutationOptions());
  const [made, setMade] = useState<{ channel: Channel; generated: [label: string, value: string][] } | null>(null);
  if (made) return <GeneratedOnce {...made} />;
  const { label, summary } = channelDefinitionOf(type);
  return (
    <>
      <PageHead title="New channel" note={`${label}: ${summary}`}>
        <Link href="/channels/new" className={linkClass}>
          All channel types
        </Link>
      </PageHead>
      <ChannelForm
        type={type}
        onSave={async (input) => {
          const { channel } = await creating.mutateAsync(input);
          void queryClient.invalidateQueries(trpc.notifications.pathFilter());
          const generated = generatedIn(channel, input);
          if (generated.length > 0) {
            setMade({ channel, generated });
            return;
          }
          const needsConfirmation = 'confirmation' in channel && channel.confirmation === 'pending';
          toast(
            needsConfirmation
              ? `Created ${channel.name}. We sent a confirmation link to ${channel.config.to}.`
              : `Created ${channel.name}`,
          );
          router.push(`/channels/${channel.id}`);
        }}
      >
        <Button asChild variant="ghost">
          <Link href="/channels">Discard</Link>
        </Button>
      </ChannelForm>
    </>
  );
}

function GeneratedOnce({ channel, generated }: { channel: Channel; generated: [label: string, value: string][] }) {
  return (
    <div className="max-w-[560px]">
      <PageHead title={`Created ${channel.name}`} />
      <p className="mb-3 text-muted">
        {channel.type === 'webhook'
          ? 'Every message is signed with this secret according to Standard Webhooks. '
          : null}
        Store it in your receiver now: it is not shown again.
      </p>
      <div className="grid gap-3">
        {generated.map(([label, value]) => (
          <Evidence
            key={label}
            head={
              <>
                <span>{label}</span>
                <span className="grow" />
                <CopyButton text={value} label={`Copy ${label.toLowerCase()}`}>
                  Copy
                </CopyButton>
              </>
            }
          >
            <p className="px-3 py-2.5 font-mono [overflow-wrap:anywhere]">{value}</p>
          </Evidence>
        ))}
      </div>
      <Button asChild variant="primary" className="mt-4">
        <Link href={`/channels/${channel.id}`}>Go to the channel</Link>
      </Button>
    </div>
  );
}
