'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { FeedButton } from '@/app/_components/feed-button';
import { NewButton } from '@/app/_components/new-button';
import { PageHead } from '@/app/_components/page';
import { PagedList } from '@/app/_components/paged-list';
import { Empty } from '@/app/_components/ui/empty';
import { Icon } from '@/app/_components/ui/icon';
import { Cell, ColumnHead, Row, RowLink, Table, TableBody, TableHead } from '@/app/_components/ui/table';
import { useTRPC } from '@/app/_trpc/client';
import { firstPage } from '@/app/_trpc/first-page';
import type { Schedule } from '@/server/on-call/schema';
import { momentText } from './on-call-words';

export interface SchedulesViewProps {
  initial: { schedules: Schedule[]; nextCursor: string | null } | undefined;
  canWrite: boolean;
}

/** The team's on-call schedules, with who is on call now. */
export function SchedulesView({ initial, canWrite }: SchedulesViewProps) {
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.onCall.list.infiniteQueryOptions(
      { limit: 100 },
      { getNextPageParam: (page) => page.nextCursor, ...(initial && { initialData: firstPage(initial) }) },
    ),
  );
  const schedules = query.data?.pages.flatMap((page) => page.schedules);
  const add = canWrite ? <NewButton href="/on-call/schedules/new">New schedule</NewButton> : null;
  return (
    <>
      <PageHead title="On-call">
        <FeedButton kind="on_call">My shifts (iCal)</FeedButton>
        {add}
      </PageHead>
      <PagedList
        query={query}
        items={schedules}
        noun="schedules"
        unaffected="Alerts are not affected."
        empty={
          <Empty title="No schedules yet" action={add}>
            A schedule defines who is on call and when. Escalation policies notify the person on call until somebody
            acknowledges.
          </Empty>
        }
      >
        {(all) => <SchedulesTable schedules={all} />}
      </PagedList>
    </>
  );
}

function SchedulesTable({ schedules }: { schedules: Schedule[] }) {
  return (
    <Table
      label="On-call schedules"
      className="[--cols:16px_minmax(0,1fr)] lg:[--cols:16px_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)]"
    >
      <TableHead>
        <ColumnHead hidden>Icon</ColumnHead>
        <ColumnHead>Schedule</ColumnHead>
        <ColumnHead>On call now</ColumnHead>
        <ColumnHead>Next handoff</ColumnHead>
        <ColumnHead>Time zone</ColumnHead>
      </TableHead>
      <TableBody>
        {schedules.map(({ id, name, now, nextHandoffAt: handoffAt, timezone }) => {
          return (
            <Row key={id} className="py-1.5 max-lg:gap-y-1">
              <Cell>
                <Icon name="on-call" className="text-muted" />
              </Cell>
              <Cell>
                <RowLink href={`/on-call/schedules/${id}`}>{name}</RowLink>
              </Cell>
              <Cell className="max-lg:col-start-2">{now.user ? now.user.name : 'Nobody is on call'}</Cell>
              <Cell className="num text-muted max-lg:col-start-2">
                {handoffAt ? momentText(handoffAt, timezone) : 'None in two weeks'}
              </Cell>
              <Cell className="text-muted max-lg:col-start-2">{timezone.replaceAll('_', ' ')}</Cell>
            </Row>
          );
        })}
      </TableBody>
    </Table>
  );
}
