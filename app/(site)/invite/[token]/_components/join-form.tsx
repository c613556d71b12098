'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { endSession } from '@/app/_components/end-session';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { Button } from '@/app/_components/ui/button';
import { useTRPC } from '@/app/_trpc/client';
import { type ApiError, readApiError } from '@/app/_trpc/errors';

export interface JoinFormProps {
  token: string;
  teamName: string;
  me: { name: string | null; email: string };
  onRefused: (error: ApiError) => boolean;
}

/** Joins with the signed-in account. */
export function JoinForm({ token, teamName, me, onRefused }: JoinFormProps) {
  const trpc = useTRPC();
  const [problem, setProblem] = useState<string | null>(null);
  const [isLeaving, setIsLeaving] = useState(false);
  const joining = useMutation(
    trpc.teams.invitations.accept.mutationOptions({
      onSuccess: () => window.location.assign('/monitors'),
      onError: (thrown) => {
        const error = readApiError(thrown);
        // The session ended while the page was open: reload without it.
        if (error.code === 'UNAUTHENTICATED') window.location.reload();
        else if (!onRefused(error)) setProblem(error.message);
      },
    }),
  );
  const changeAccount = () => {
    setIsLeaving(true);
    endSession().then(
      () => window.location.reload(),
      () => {
        setIsLeaving(false);
        setProblem('Could not sign out: Upwatch did not respond.');
      },
    );
  };
  return (
    <>
      <FormProblem>{problem}</FormProblem>
      <p className="[overflow-wrap:anywhere]">
        You are signed in as <strong className="font-medium">{me.email}</strong>. Joining switches you to this team.
        Your other teams are not affected.
      </p>
      <div className="grid gap-2">
        <Button
          variant="primary"
          size="large"
          className="max-w-full"
          busy={joining.isPending || joining.isSuccess}
          onClick={() => {
            setProblem(null);
            joining.mutate({ token });
          }}
        >
          <span className="truncate">Join {teamName}</span>
        </Button>
        <Button size="large" busy={isLeaving} onClick={changeAccount}>
          Use another account
        </Button>
      </div>
    </>
  );
}
