'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { FailedQuery } from '@/app/_components/failed-query';
import { formatCount, formatMs } from '@/app/_components/format';
import { LoadMore } from '@/app/_components/load-more';
import { Empty } from '@/app/_components/ui/empty';
import { Section } from '@/app/_components/ui/page';
import { Ago, Since } from '@/app/_components/ui/since';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from '@/app/_components/ui/table';
import { Tag } from '@/app/_components/ui/tag';
import { useTRPC } from '@/app/_trpc/client';
import type { Worker } from '@/server/admin/schema';

/** As often as workers say that they are there. */
const REFRESH_MS = 10_000;

/** The workers that run, with how much they do and how late; reads them again by itself. */
export function WorkersView() {
  const trpc = useTRPC();
  const list = useInfiniteQuery(
    trpc.workers.list.infiniteQueryOptions(
      { limit: 50 },
      { getNextPageParam: (page) => page.nextCursor ?? undefined, refetchInterval: REFRESH_MS },
    ),
  );
  const workers = list.data?.pages.flatMap((page) => page.workers);
  return (
    <Section title="Workers">
      <p className="mb-5 max-w-[76ch] text-muted">
        Workers make the checks and send the messages. The figures are of the last five minutes. Lateness is how long
        after it was due a check began; 99 of 100 were at most this late.
      </p>
      {list.isPending ? <RowsLoading label="Loading the workers" /> : null}
      {list.isError && !workers ? (
        <FailedQuery query={list} title="Could not load the workers">
          They go on checking; only this list is missing.
        </FailedQuery>
      ) : null}
      {workers?.length === 0 ? (
        <Empty title="No worker runs">
          Nothing is checked and no message is sent until one does. Start Upwatch again, or a worker by itself.
        </Empty>
      ) : null}
      {workers && workers.length > 0 ? <WorkersTable workers={workers} /> : null}
      <LoadMore query={list} />
    </Section>
  );
}

/** A figure with its name before it, where the rows have no line of column names. */
function Figure({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <span className="text-small text-faint lg:hidden">{name} </span>
      {children}
    </>
  );
}

function WorkersTable({ workers }: { workers: Worker[] }) {
  return (
    <Table
      label="Workers"
      className="lg:[--cols:minmax(0,1.5fr)_minmax(0,1fr)_80px_90px_120px_100px_minmax(0,0.9fr)] lg:[&_.row]:px-2"
    >
      <TableHead>
        <ColumnHead>Worker</ColumnHead>
        <ColumnHead>Region</ColumnHead>
        <ColumnHead right>Runs for</ColumnHead>
        <ColumnHead right>Seen</ColumnHead>
        <ColumnHead right>Checks a minute</ColumnHead>
        <ColumnHead right>Lateness p99</ColumnHead>
        <ColumnHead right>Version</ColumnHead>
      </TableHead>
      <TableBody>
        {workers.map(({ id, region, startedAt, seenAt, checksPerMinute, latenessP99Ms, version }) => (
          <Row key={id} className="max-lg:gap-y-1">
            <Cell className="mono truncate text-small">{id}</Cell>
            <Cell className="max-lg:text-right">
              <Tag>{region}</Tag>
            </Cell>
            <Cell className="lg:text-right">
              <Figure name="Runs for">
                <Since at={startedAt} />
              </Figure>
            </Cell>
            <Cell className="text-right text-muted">
              <Figure name="Seen">
                <Ago at={seenAt} />
              </Figure>
            </Cell>
            <Cell className="num lg:text-right">
              <Figure name="Checks a minute">{formatCount(checksPerMinute)}</Figure>
            </Cell>
            <Cell right>
              <Figure name="Lateness p99">{formatMs(latenessP99Ms)}</Figure>
            </Cell>
            <Cell className="mono truncate text-small text-faint max-lg:col-span-full lg:text-right">{version}</Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
