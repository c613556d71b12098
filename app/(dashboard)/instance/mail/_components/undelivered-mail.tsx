'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { FailedQuery } from '@/app/_components/failed-query';
import { LoadMore } from '@/app/_components/load-more';
import { Timestamp } from '@/app/_components/time/time';
import { CopyButton } from '@/app/_components/ui/copy-button';
import { Empty } from '@/app/_components/ui/empty';
import { Icon } from '@/app/_components/ui/icon';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { useTRPC } from '@/app/_trpc/client';

/** Undelivered mail, newest first; each expands in place. */
export function UndeliveredMail() {
  const trpc = useTRPC();
  const mail = useInfiniteQuery(
    trpc.mail.listUndelivered.infiniteQueryOptions(
      { limit: 50 },
      { getNextPageParam: (page) => page.nextCursor ?? undefined },
    ),
  );
  if (mail.isPending) return <RowsLoading label="Loading undelivered mail" />;
  if (mail.isError && !mail.data) {
    return (
      <FailedQuery query={mail} title="Could not load undelivered mail">
        No data was lost.
      </FailedQuery>
    );
  }
  const mails = mail.data.pages.flatMap((page) => page.mails);
  if (mails.length === 0) {
    return <Empty title="No undelivered mail">Emails appear here while no SMTP server is configured.</Empty>;
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
                <Timestamp at={createdAt} className="shrink-0 text-small text-faint" />
              </summary>
              <div className="flex items-start gap-2 pr-2 pb-3 pl-[26px]">
                <pre className="min-w-0 grow text-small whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</pre>
                <CopyButton text={text} label={`Copy text of “${subject}”`} />
              </div>
            </details>
          </li>
        ))}
      </ul>
      <LoadMore query={mail} />
    </>
  );
}
