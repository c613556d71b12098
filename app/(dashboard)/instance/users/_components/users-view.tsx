'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { FailedQuery } from '@/app/_components/failed-query';
import { LoadMore } from '@/app/_components/load-more';
import { Section } from '@/app/_components/page';
import { Timestamp } from '@/app/_components/time/time';
import { Empty } from '@/app/_components/ui/empty';
import { Input } from '@/app/_components/ui/input';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { Cell, ColumnHead, Row, RowLink, Table, TableBody, TableHead } from '@/app/_components/ui/table';
import { Tag } from '@/app/_components/ui/tag';
import { useTRPC } from '@/app/_trpc/client';
import type { AdminUser } from '@/server/admin/schema';

const WAIT_MS = 250;

/** The debounced search text. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), WAIT_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

/** All accounts of the instance, newest first, searchable by email, name or ID. */
export function UsersView() {
  const trpc = useTRPC();
  const [text, setText] = useState('');
  const query = usePaused(text.trim());
  const list = useInfiniteQuery(
    trpc.users.list.infiniteQueryOptions(
      { limit: 50, ...(query && { query }) },
      { getNextPageParam: (page) => page.nextCursor ?? undefined, placeholderData: (before) => before },
    ),
  );
  const users = list.data?.pages.flatMap((page) => page.users);
  return (
    <Section title="Users">
      <search className="mb-4 block sm:max-w-80">
        <Input
          type="search"
          aria-label="Search by email, name or ID"
          placeholder="Email, name or ID"
          autoComplete="off"
          maxLength={254}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </search>
      {list.isPending ? <RowsLoading label="Loading users" /> : null}
      {list.isError && !users ? (
        <FailedQuery query={list} title="Could not load users">
          No data was lost.
        </FailedQuery>
      ) : null}
      {users?.length === 0 ? (
        <Empty title={`No users match “${query}”`}>Search by part of an email address or name.</Empty>
      ) : null}
      {users && users.length > 0 ? <UsersTable users={users} /> : null}
      <LoadMore query={list} />
    </Section>
  );
}

function UsersTable({ users }: { users: AdminUser[] }) {
  return (
    <Table label="Users" className="lg:[--cols:minmax(0,1.2fr)_minmax(0,0.8fr)_minmax(0,1fr)_130px] lg:[&_.row]:px-2">
      <TableHead>
        <ColumnHead>Email</ColumnHead>
        <ColumnHead>Name</ColumnHead>
        <ColumnHead>Teams</ColumnHead>
        <ColumnHead right>Created</ColumnHead>
      </TableHead>
      <TableBody>
        {users.map((user) => (
          <Row key={user.id} className="max-lg:gap-y-1">
            <Cell className="flex items-center gap-2">
              <RowLink href={`/instance/users/${user.id}`} className="max-lg:text-body">
                {user.email}
              </RowLink>
              {user.isAdmin ? <Tag>administrator</Tag> : null}
            </Cell>
            <Cell className="truncate text-muted max-lg:text-right">{user.name}</Cell>
            <Cell className="truncate text-small text-muted">
              {user.teams.map(({ name, role }) => `${name} (${role})`).join(', ') || 'None'}
            </Cell>
            <Cell right className="text-small text-faint">
              <Timestamp at={user.createdAt} />
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
