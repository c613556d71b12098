'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { FailedQuery } from '@/app/_components/failed-query';
import { formatCount, formatLatency } from '@/app/_components/format';
import { LoadMore } from '@/app/_components/load-more';
import { Section } from '@/app/_components/page';
import { Elapsed, RelativeTime } from '@/app/_components/time/time';
import { Empty } from '@/app/_components/ui/empty';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from '@/app/_components/ui/table';
import { Tag } from '@/app/_components/ui/tag';
import { useTRPC } from '@/app/_trpc/client';
import type { Worker } from '@/server/admin/schema';

/** Workers report at this interval. */
const REFRESH_MS = 10_000;

/** The running workers with throughput and lateness, refreshed automatically. */
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
        Workers run checks and send notifications. Figures cover the last five minutes. Lateness is the delay between a
        check’s scheduled and actual start (99th percentile).
      </p>
      {list.isPending ? <RowsLoading label="Loading workers" /> : null}
      {list.isError && !workers ? (
        <FailedQuery query={list} title="Could not load workers">
          Checks are not affected.
        </FailedQuery>
      ) : null}
      {workers?.length === 0 ? (
        <Empty title="No running workers">
          No checks run and no notifications are sent until a worker starts. Restart Upwatch or start a worker.
        </Empty>
      ) : null}
      {workers && workers.length > 0 ? <WorkersTable workers={workers} /> : null}
      <LoadMore query={list} />
    </Section>
  );
}

/** A figure with its label, for layouts without column headings. */
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
        <ColumnHead right>Uptime</ColumnHead>
        <ColumnHead right>Last seen</ColumnHead>
        <ColumnHead right>Checks/min</ColumnHead>
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
              <Figure name="Uptime">
                <Elapsed at={startedAt} />
              </Figure>
            </Cell>
            <Cell className="text-right text-muted">
              <Figure name="Last seen">
                <RelativeTime at={seenAt} />
              </Figure>
            </Cell>
            <Cell className="num lg:text-right">
              <Figure name="Checks/min">{formatCount(checksPerMinute)}</Figure>
            </Cell>
            <Cell right>
              <Figure name="Lateness p99">{formatLatency(latenessP99Ms)}</Figure>
            </Cell>
            <Cell className="mono truncate text-small text-faint max-lg:col-span-full lg:text-right">{version}</Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
