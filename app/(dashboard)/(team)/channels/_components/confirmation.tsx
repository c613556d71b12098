'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSendsMail } from '@/app/_components/instance';
import { Section } from '@/app/_components/page';
import { toast } from '@/app/_components/toast/toast';
import { Alert } from '@/app/_components/ui/alert';
import { Button } from '@/app/_components/ui/button';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { Channel } from '@/server/notifications/schema';

/** Whether the address of an email channel is confirmed, with a button to send the confirmation again. */
export function ConfirmationState({ channel, canWrite }: { channel: Channel; canWrite: boolean }) {
  const { to } = channel.config;
  const sendsMail = useSendsMail();
  return (
    <>
      {sendsMail ? null : (
        <Alert state="degraded" title="This instance does not send email" className="mt-8">
          No mail server is configured (SMTP_URL), so messages to {to} fail. Instance administrators can read them under
          Undelivered mail.
        </Alert>
      )}
      <Confirmation channel={channel} canWrite={canWrite} sendsMail={sendsMail} />
    </>
  );
}

function Confirmation({ channel, canWrite, sendsMail }: { channel: Channel; canWrite: boolean; sendsMail: boolean }) {
  const { to } = channel.config;
  switch (channel.confirmation) {
    case 'confirmed':
    case undefined:
      return null;
    case 'member':
      return (
        <Section title="Confirmation">
          <p className="mb-3 text-muted [overflow-wrap:anywhere]">
            {to} belongs to a member of the team, so alerts are sent to it. Until it confirms, it gets at most 200 a
            day.
          </p>
          {canWrite ? <SendLink channel={channel} /> : null}
        </Section>
      );
    case 'pending':
      return (
        <Section title="Confirmation">
          <Alert state="pending" title="Waiting for confirmation" className="mb-3">
            {sendsMail
              ? `Open the link that we sent to ${to}, and confirm. Alerts of the last day are sent then.`
              : `Ask an instance administrator for the confirmation link of ${to}, open it, and confirm.`}
          </Alert>
          {canWrite ? <SendLink channel={channel} /> : null}
        </Section>
      );
    default:
      return channel.confirmation satisfies never;
  }
}

function SendLink({ channel: { id, config, confirmation } }: { channel: Channel }) {
  const sendsMail = useSendsMail();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const sending = useMutation(
    trpc.notifications.resendConfirmation.mutationOptions({
      onSuccess: () =>
        toast(
          sendsMail
            ? `Sent a link to ${config.to}`
            : 'Created a link. Instance administrators can read it under Undelivered mail.',
        ),
      onError: (error) => toast.error(readApiError(error).message),
      onSettled: () => queryClient.invalidateQueries(trpc.notifications.pathFilter()),
    }),
  );
  return (
    <Button busy={sending.isPending} onClick={() => sending.mutate({ id })}>
      {confirmation === 'pending' ? 'Resend confirmation' : 'Send confirmation'}
    </Button>
  );
}
