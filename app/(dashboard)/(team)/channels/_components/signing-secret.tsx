'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Evidence, Section } from '@/app/_components/page';
import { Until } from '@/app/_components/time/duration';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { Button } from '@/app/_components/ui/button';
import { CopyButton } from '@/app/_components/ui/copy-button';
import { Field } from '@/app/_components/ui/field';
import { Select } from '@/app/_components/ui/select';
import { useTRPC } from '@/app/_trpc/client';
import type { Channel } from '@/server/notifications/schema';

const graces = [
  { value: '0', label: 'Expires at once' },
  { value: '1', label: '1 h' },
  { value: '24', label: '24 h' },
  { value: '168', label: '7 days' },
] as const;

type Grace = (typeof graces)[number]['value'];

/** What rotating the secret means for the receiver. */
function graceText(grace: Grace): string {
  const label = graces.find(({ value }) => value === grace)?.label;
  return grace === '0'
    ? 'The current secret expires at once: your receiver rejects messages until it has the new one.'
    : `Messages are signed with both secrets for ${label}. Store the new one in your receiver within that time.`;
}

/** Rotates the signing secret of a channel. The new one is shown once. */
export function SigningSecret({ channel }: { channel: Channel }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [grace, setGrace] = useState<Grace>('24');
  const [asking, setAsking] = useState<'rotate' | 'end' | null>(null);
  const onSuccess = () => {
    setAsking(null);
    void queryClient.invalidateQueries(trpc.notifications.pathFilter());
  };
  const rotating = useMutation(trpc.notifications.rotateSecret.mutationOptions({ onSuccess }));
  const ending = useMutation(trpc.notifications.endPreviousSecret.mutationOptions({ onSuccess }));
  const made = rotating.data?.channel.config;
  const secret = made && 'secret' in made ? made.secret : null;
  const until = channel.previousSecretUntil;
  return (
    <Section title="Signing secret">
      {until ? (
        <p className="mb-3 flex flex-wrap items-center gap-2 text-muted">
          <span>
            Messages are also signed with the previous secret. It expires <Until at={until} />.
          </span>
          <Button size="small" onClick={() => setAsking('end')}>
            End now
          </Button>
        </p>
      ) : null}
      <div className="flex flex-wrap items-end gap-2">
        <Field label="Previous secret stays valid for">
          <Select options={graces} value={grace} onValueChange={setGrace} />
        </Field>
        <Button onClick={() => setAsking('rotate')}>Rotate secret</Button>
      </div>
      {secret ? (
        <div className="mt-3 grid gap-2">
          <p className="text-muted">Store the new secret in your receiver now: it is not shown again.</p>
          <Evidence
            head={
              <>
                <span>New signing secret</span>
                <span className="grow" />
                <CopyButton text={secret} label="Copy secret">
                  Copy
                </CopyButton>
              </>
            }
          >
            <p className="px-3 py-2.5 font-mono [overflow-wrap:anywhere]">{secret}</p>
          </Evidence>
        </div>
      ) : null}
      <AlertDialog
        open={asking === 'rotate'}
        onClose={() => setAsking(null)}
        title="Rotate the signing secret?"
        safe="Cancel"
        verb="Rotate secret"
        danger={grace === '0'}
        doing={rotating}
        onConfirm={() => rotating.mutate({ id: channel.id, graceHours: Number(grace) })}
      >
        {graceText(grace)}
        {until ? ' The secret before it expires at once.' : null}
      </AlertDialog>
      <AlertDialog
        open={asking === 'end'}
        onClose={() => setAsking(null)}
        title="End the previous secret?"
        safe="Cancel"
        verb="End previous secret"
        danger
        doing={ending}
        onConfirm={() => ending.mutate({ id: channel.id })}
      >
        Messages are then signed with the current secret only. A receiver that still has the previous one rejects them.
      </AlertDialog>
    </Section>
  );
}
