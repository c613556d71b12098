'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { deviceOf } from '@/app/_components/device';
import { FailedQuery } from '@/app/_components/failed-query';
import { RelativeTime } from '@/app/_components/time/time';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { Skeleton } from '@/app/_components/ui/skeleton';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';

/** The user's sessions, each with a sign-out button. */
export function Sessions() {
  const trpc = useTRPC();
  const client = useQueryClient();
  const query = useQuery(trpc.auth.sessions.list.queryOptions());
  const refresh = () => client.invalidateQueries({ queryKey: trpc.auth.sessions.list.queryKey() });
  const failed = (error: unknown) => toast.error(readApiError(error).message);
  const end = useMutation(trpc.auth.sessions.end.mutationOptions({ onSuccess: refresh, onError: failed }));
  const endOthers = useMutation(
    trpc.auth.sessions.endOthers.mutationOptions({
      onSuccess: ({ ended }) => {
        void refresh();
        toast(ended === 1 ? '1 other session was signed out.' : `${ended} other sessions were signed out.`);
      },
      onError: failed,
    }),
  );
  if (query.error && !query.data) return <FailedQuery title="Could not load sessions" query={query} />;
  if (!query.data) return <Skeleton className="h-24" />;
  const { sessions } = query.data;
  return (
    <div className="grid gap-4">
      <ul aria-label="Sessions" className="divide-y">
        {sessions.map((session) => (
          <li key={session.id} className="flex items-center gap-3 py-2">
            <div className="min-w-0 grow">
              <div className="truncate font-medium">{deviceOf(session)}</div>
              <div className="text-small text-muted">
                {session.isCurrent ? (
                  'This session'
                ) : (
                  <>
                    Last used <RelativeTime at={session.lastUsedAt} />
                  </>
                )}
                {session.address ? ` · ${session.address}` : null}
              </div>
            </div>
            {session.isCurrent ? null : (
              <Button
                size="small"
                busy={end.isPending && end.variables.id === session.id}
                onClick={() => end.mutate({ id: session.id })}
                aria-label={`Sign out ${deviceOf(session)}`}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 ? (
        <Button className="justify-self-start" busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
          Sign out all other sessions
        </Button>
      ) : null}
    </div>
  );
}
