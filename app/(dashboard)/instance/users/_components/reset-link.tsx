'use client';

import { useMutation } from '@tanstack/react-query';
import { Button } from '@/app/_components/ui/button';
import { CopyButton } from '@/app/_components/ui/copy-button';
import { FieldError } from '@/app/_components/ui/field';
import { Stamp } from '@/app/_components/ui/since';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';

/** Creates a link with which a person sets a new password, for an administrator to hand over. It is shown this once. */
export function ResetLink({ userId }: { userId: string }) {
  const trpc = useTRPC();
  const creating = useMutation(trpc.users.createPasswordReset.mutationOptions());
  const link = creating.data?.link;
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-muted">
        Create a link and give it to this person: they choose a new password with it, and all of their sessions are
        signed out. Earlier links stop working. The audit log keeps that you created it.
      </p>
      {creating.error ? <FieldError>{readApiError(creating.error).message}</FieldError> : null}
      {link ? (
        <div role="status" className="grid w-full gap-2">
          <div className="grid justify-items-start gap-2 rounded-2 border bg-sunken px-2.5 py-2">
            <p className="mono text-small [overflow-wrap:anywhere]">{link.url}</p>
            <CopyButton text={link.url} label="Copy the link">
              Copy link
            </CopyButton>
          </div>
          <p className="text-small text-muted">
            It works once, until <Stamp at={link.expiresAt} />, and is not shown again.
          </p>
        </div>
      ) : null}
      <Button busy={creating.isPending} onClick={() => creating.mutate({ userId })}>
        {link ? 'Create another link' : 'Create reset link'}
      </Button>
    </div>
  );
}
