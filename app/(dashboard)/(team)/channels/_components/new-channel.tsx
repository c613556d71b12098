'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Evidence, PageHead } from '@/app/_components/page';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { CopyButton } from '@/app/_components/ui/copy-button';
import { useTRPC } from '@/app/_trpc/client';
import type { Channel } from '@/server/notifications/schema';
import { ChannelForm } from './channel-form';

/** Creates a channel. A generated signing secret is shown here once. */
export function NewChannel() {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const creating = useMutation(trpc.notifications.create.mutationOptions());
  const [made, setMade] = useState<{ channel: Channel; secret: string } | null>(null);
  if (made) return <SecretOnce {...made} />;
  return (
    <>
      <PageHead title="New channel" />
      <ChannelForm
        onSave={async (input) => {
          const { channel } = await creating.mutateAsync(input);
          void queryClient.invalidateQueries(trpc.notifications.pathFilter());
          if ('secret' in channel.config && !('secret' in input.config)) {
            setMade({ channel, secret: channel.config.secret });
            return;
          }
          const needsConfirmation = 'confirmation' in channel && channel.confirmation === 'pending';
          toast(
            needsConfirmation
              ? `Created ${channel.name}. We sent a confirmation link to ${channel.config.to}.`
              : `Created ${channel.name}. Send a test to see the real response.`,
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

function SecretOnce({ channel, secret }: { channel: Channel; secret: string }) {
  return (
    <div className="max-w-[560px]">
      <PageHead title={`Created ${channel.name}`} />
      <p className="mb-3 text-muted">
        Every message is signed with this secret, as Standard Webhooks says. Store it in your receiver now: it is not
        shown again.
      </p>
      <Evidence
        head={
          <>
            <span>Signing secret</span>
            <span className="grow" />
            <CopyButton text={secret} label="Copy secret">
              Copy
            </CopyButton>
          </>
        }
      >
        <p className="px-3 py-2.5 font-mono [overflow-wrap:anywhere]">{secret}</p>
      </Evidence>
      <Button asChild variant="primary" className="mt-4">
        <Link href={`/channels/${channel.id}`}>Go to the channel</Link>
      </Button>
    </div>
  );
}
