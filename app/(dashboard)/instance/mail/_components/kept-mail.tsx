'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from '@/app/_components/ui/button';
import { CopyButton } from '@/app/_components/ui/copy-button';
import { Empty } from '@/app/_components/ui/empty';
import { Failed } from '@/app/_components/ui/failed';
import { Icon } from '@/app/_components/ui/icon';
import { Stamp } from '@/app/_components/ui/since';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { useTRPC } from '@/app/_trpc/client';
import { requestIdOf } from '@/app/_trpc/errors';

/** Kept mail, latest first; each opens in place. */
export function KeptMail() {
  const trpc = useTRPC();
  const kept = useInfiniteQuery(
    trpc.mail.listKept.infiniteQueryOptions(
      { limit: 50 },
      { getNextPageParam: (page) => page.nextCursor ?? undefined },
    ),
  );
  if (kept.isPending) return <RowsLoading label="Loading kept mail" />;
  if (kept.isError && !kept.data) {
    return (
      <Failed
        title="Could not load the kept mail"
        requestId={requestIdOf(kept.error)}
        onRetry={() => kept.refetch()}
        busy={kept.isFetching}
      >
        Nothing is lost; only this list is missing.
      </Failed>
    );
  }
  const mails = kept.data.pages.flatMap((page) => page.mails);
  if (mails.length === 0) {
    return (
      <Empty title="No mail is kept">
        Messages to email channels are written here while no SMTP server is configured.
      </Empty>
    );
  }
  return (
    <>
      <ul className="border-t">
        {mails.map(({ id, to, subject, text, createdAt }) => (
          <li key={id} className="border-b">
            <details className="group">
              <summary className="flex min-h-10 list-none items-center gap-3 py-2 pr-2 hover:bg-hover focus-inset [&::-webkit-details-marker]:hidden">
                <Icon name="chevron-right" small className="text-faint group-open:rotate-90" />
                <span className="grid min-w-0 grow gap-x-3 sm:flex sm:items-baseline">
                  <span className="truncate font-medium">{subject}</span>
                  <span className="mono truncate text-small text-faint">{to}</span>
                </span>
                <Stamp at={createdAt} className="shrink-0 text-small text-faint" />
              </summary>
              <div className="flex items-start gap-2 pr-2 pb-3 pl-[26px]">
                <pre className="min-w-0 grow text-small whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</pre>
                <CopyButton text={text} label={`Copy the text of “${subject}”`} />
              </div>
            </details>
          </li>
        ))}
      </ul>
      {kept.hasNextPage ? (
        <Button className="mt-4" onClick={() => kept.fetchNextPage()} busy={kept.isFetchingNextPage}>
          Show older
        </Button>
      ) : null}
      {kept.isFetchNextPageError ? (
        <p role="alert" className="mt-2 text-small text-down-fg">
          Could not load the older ones. The list above is complete so far.
        </p>
      ) : null}
    </>
  );
}
