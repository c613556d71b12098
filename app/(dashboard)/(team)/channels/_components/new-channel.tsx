'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from '@/app/_components/toasts';
import { Button } from '@/app/_components/ui/button';
import { CopyButton } from '@/app/_components/ui/copy-button';
import { Evidence, PageHead } from '@/app/_components/ui/page';
import { useTRPC } from '@/app/_trpc/client';
import type { Channel } from '@/server/notifications/schema';
import { ChannelForm } from './channel-form';

/** Adds a channel. A signing secret that was made for it is shown here, and never again. */
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
          if (channel.type === 'webhook' && input.type === 'webhook' && input.config.secret === undefined) {
            setMade({ channel, secret: channel.config.secret });
            return;
          }
          const needsConfirmation = channel.type === 'email' && channel.confirmation === 'pending';
          toast({
            message: needsConfirmation
              ? `Added ${channel.name}. ${channel.config.to} was sent a link to confirm.`
              : `Added ${channel.name}. Send a test to see the real answer.`,
          });
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
      <PageHead title={`Added ${channel.name}`} />
      <p className="mb-3 text-muted">
        Every message is signed with this secret, as Standard Webhooks says. Keep it where your receiver finds it: it is
        not shown again.
      </p>
      <Evidence
        head={
          <>
            <span>Signing secret</span>
            <span className="grow" />
            <CopyButton text={secret} label="Copy the secret">
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
