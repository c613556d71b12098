'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { formatCount } from '@/app/_components/format';
import { NewButton } from '@/app/_components/new-button';
import { PageHead } from '@/app/_components/page';
import { PagedList } from '@/app/_components/paged-list';
import { Button } from '@/app/_components/ui/button';
import { Empty } from '@/app/_components/ui/empty';
import { Icon } from '@/app/_components/ui/icon';
import { Cell, ColumnHead, Row, RowLink, Table, TableBody, TableHead } from '@/app/_components/ui/table';
import { useTRPC } from '@/app/_trpc/client';
import { firstPage } from '@/app/_trpc/first-page';
import type { StatusPage } from '@/server/status-pages/schema';

export interface StatusPagesViewProps {
  initial: { statusPages: StatusPage[]; nextCursor: string | null } | undefined;
  canWrite: boolean;
}

export function StatusPagesView({ initial, canWrite }: StatusPagesViewProps) {
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.statusPages.list.infiniteQueryOptions(
      { limit: 100 },
      { getNextPageParam: (page) => page.nextCursor, ...(initial && { initialData: firstPage(initial) }) },
    ),
  );
  const pages = query.data?.pages.flatMap((page) => page.statusPages);
  const add = canWrite ? <NewButton href="/status-pages/new">New status page</NewButton> : null;
  return (
    <>
      <PageHead
        title="Status pages"
        note={pages && pages.length > 0 && !query.hasNextPage ? formatCount(pages.length) : null}
      >
        {pages && pages.length > 0 ? add : null}
      </PageHead>
      <PagedList
        query={query}
        items={pages}
        noun="status pages"
        unaffected="Your public pages are not affected."
        empty={
          <Empty title="No status pages yet" action={add}>
            A status page shows your customers the status of your services, current incidents and uptime history,
            without revealing URLs.
          </Empty>
        }
      >
        {(all) => <StatusPagesTable pages={all} />}
      </PagedList>
    </>
  );
}

function StatusPagesTable({ pages }: { pages: StatusPage[] }) {
  return (
    <Table
      label="Status pages"
      className="[--cols:minmax(0,1fr)_auto] lg:[--cols:minmax(0,1fr)_minmax(0,1fr)_110px_90px_72px] lg:[&_.row]:px-2"
    >
      <TableHead>
        <ColumnHead>Title</ColumnHead>
        <ColumnHead>URL</ColumnHead>
        <ColumnHead right>Monitors</ColumnHead>
        <ColumnHead right>Visibility</ColumnHead>
        <ColumnHead hidden>Actions</ColumnHead>
      </TableHead>
      <TableBody>
        {pages.map((page) => (
          <Row key={page.id} className="max-lg:gap-y-1">
            <Cell className="grid">
              <RowLink href={`/status-pages/${page.id}`} className="max-lg:text-body">
                {page.title}
              </RowLink>
            </Cell>
            <Cell className="truncate font-mono text-small text-faint max-lg:order-1">/status/{page.slug}</Cell>
            <Cell right className="max-lg:hidden">
              {formatCount(page.monitorIds.length)}
            </Cell>
            <Cell right className="text-muted max-lg:order-2">
              {page.isPublic ? 'Public' : 'Private'}
            </Cell>
            <Cell right>{page.isPublic ? <OpenLink page={page} /> : null}</Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

function OpenLink({ page: { slug, title } }: { page: StatusPage }) {
  return (
    <Button asChild size="small" variant="ghost">
      <a href={`/status/${slug}`} target="_blank" rel="noreferrer" data-above="" aria-label={`Open ${title}`}>
        <Icon name="share" small />
        Open
      </a>
    </Button>
  );
}
