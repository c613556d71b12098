'use client';

import { useMutation } from '@tanstack/react-query';
import { OneTimeLink } from '@/app/_components/one-time-link';
import { Timestamp } from '@/app/_components/time/time';
import { Button } from '@/app/_components/ui/button';
import { FieldError } from '@/app/_components/ui/field';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';

/** Creates a password reset link for a user and shows it once. */
export function ResetLink({ userId }: { userId: string }) {
  const trpc = useTRPC();
  const creating = useMutation(trpc.users.createPasswordReset.mutationOptions());
  const link = creating.data?.link;
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-muted">
        Create a link and share it with this user. They can set a new password with it, which signs out all of their
        sessions. Earlier links stop working. The audit log records that you created the link.
      </p>
      {creating.error ? <FieldError>{readApiError(creating.error).message}</FieldError> : null}
      {link ? (
        <div role="status" className="grid w-full gap-2">
          <OneTimeLink url={link.url} />
          <p className="text-small text-muted">
            Can be used once. Expires <Timestamp at={link.expiresAt} />. It is not shown again.
          </p>
        </div>
      ) : null}
      <Button busy={creating.isPending} onClick={() => creating.mutate({ userId })}>
        {link ? 'Create another link' : 'Create reset link'}
      </Button>
    </div>
  );
}
