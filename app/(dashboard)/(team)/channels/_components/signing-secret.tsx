'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { Evidence, Section } from '@/app/_components/page';
import { Until } from '@/app/_components/time/duration';
import { Button } from '@/app/_components/ui/button';
import { CopyButton } from '@/app/_components/ui/copy-button';
import { Field } from '@/app/_components/ui/field';
import { Select } from '@/app/_components/ui/select';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { Channel } from '@/server/notifications/schema';

const graces = [
  { value: '0', label: 'Expires at once' },
  { value: '1', label: '1 h' },
  { value: '24', label: '24 h' },
  { value: '168', label: '7 d' },
] as const;

/** Rotates the signing secret of a channel. The new one is shown once. */
export function SigningSecret({ channel }: { channel: Channel }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [grace, setGrace] = useState<(typeof graces)[number]['value']>('24');
  const onSuccess = () => queryClient.invalidateQueries(trpc.notifications.pathFilter());
  const rotating = useMutation(trpc.notifications.rotateSecret.mutationOptions({ onSuccess }));
  const ending = useMutation(trpc.notifications.endPreviousSecret.mutationOptions({ onSuccess }));
  const made = rotating.data?.channel.config;
  const secret = made && 'secret' in made ? made.secret : null;
  const problem = rotating.error ?? ending.error;
  const until = channel.previousSecretUntil;
  return (
    <Section title="Signing secret">
      {until ? (
        <p className="mb-3 flex flex-wrap items-center gap-2 text-muted">
          <span>
            Messages are also signed with the previous secret. It expires <Until at={until} />.
          </span>
          <Button size="small" busy={ending.isPending} onClick={() => ending.mutate({ id: channel.id })}>
            End now
          </Button>
        </p>
      ) : null}
      <div className="flex flex-wrap items-end gap-2">
        <Field label="Previous secret stays valid for">
          <Select options={graces} value={grace} onValueChange={setGrace} />
        </Field>
        <Button
          busy={rotating.isPending}
          onClick={() => rotating.mutate({ id: channel.id, graceHours: Number(grace) })}
        >
          Rotate secret
        </Button>
      </div>
      <FormProblem>{problem ? readApiError(problem).message : null}</FormProblem>
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
    </Section>
  );
}
