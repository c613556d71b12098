'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { FindOptions, type FindOptionsProps } from '@/app/_components/find-options';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';

/** The number of members shown at once; search finds the others. */
const offered = 8;

export interface FindMemberProps extends Pick<FindOptionsProps, 'label' | 'verb' | 'autoFocus' | 'error'> {
  optional?: boolean;
  onChoose: (id: string) => void;
}

/** Searches the members of the team and selects one. */
export function FindMember({ optional = false, ...props }: FindMemberProps) {
  const trpc = useTRPC();
  const [text, setText] = useState('');
  const search = useDeferredValue(text.trim());
  const query = useQuery(
    trpc.teams.members.list.queryOptions(
      { limit: offered, ...(search !== '' && { query: search }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const members = query.data?.members ?? [];
  const more = query.data?.nextCursor ? 'The team has more members. Search to find them.' : null;
  return (
    <FindOptions
      {...props}
      optional={optional}
      listLabel="Members"
      placeholder="Search by name or email"
      text={text}
      onTextChange={setText}
      options={members.map(({ id, name, email }) => ({
        id,
        name: name ?? email,
        status: null,
        ...(name !== null && { detail: email }),
      }))}
      note={query.data && members.length === 0 ? 'No members match.' : more}
      failure={query.isError && !query.data ? readApiError(query.error).message : null}
    />
  );
}

/** The name of a member, or the email address without one; null while it loads. @param id null for nobody */
export function useMemberName(id: string | null): string | null {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.teams.members.list.queryOptions({ limit: 1, query: id ?? '' }, { enabled: id !== null }),
  );
  const [member] = data?.members ?? [];
  if (!data) return null;
  return member?.id === id ? (member.name ?? member.email) : 'Former member';
}
