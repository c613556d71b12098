'use client';

import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { linkClass } from '@/app/_components/page';
import { Button } from '@/app/_components/ui/button';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';

export function ConfirmEmail({ token }: { token: string }) {
  const trpc = useTRPC();
  const confirm = useMutation(trpc.auth.confirmEmailChange.mutationOptions());
  if (confirm.data) {
    return (
      <div role="status" className="grid gap-3">
        <p>
          Your account now uses <strong>{confirm.data.email}</strong>.
        </p>
        <Link href="/settings/account" className={linkClass}>
          Go to your account
        </Link>
      </div>
    );
  }
  return (
    <div className="grid gap-4">
      <FormProblem>{confirm.error ? readApiError(confirm.error).message : null}</FormProblem>
      <p>Confirm that you want to use the email address that received this link for your Upwatch account.</p>
      <Button variant="primary" size="large" busy={confirm.isPending} onClick={() => confirm.mutate({ token })}>
        Confirm email address
      </Button>
    </div>
  );
}
