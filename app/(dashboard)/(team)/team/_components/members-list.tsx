'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailedQuery } from '@/app/_components/failed-query';
import { LoadMore } from '@/app/_components/load-more';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { useTRPC } from '@/app/_trpc/client';
import type { Member } from '@/server/teams/schema';
import { LeaveDialog } from './leave-dialog';
import { type Me, MemberRow } from './member-row';
import { RemoveMemberDialog } from './remove-member-dialog';
import { useMemberRole } from './use-member-role';

export interface MembersListProps {
  me: Me;
  team: { id: string; name: string };
  /** The teams that a leaving member can switch to. */
  otherTeams: readonly { id: string; name: string }[];
}

/** The team's members, oldest account first. */
export function MembersList({ me, team, otherTeams }: MembersListProps) {
  const trpc = useTRPC();
  const [removing, setRemoving] = useState<Member | null>(null);
  const [leaving, setLeaving] = useState(false);
  const setRole = useMemberRole();
  const list = useInfiniteQuery(
    trpc.teams.members.list.infiniteQueryOptions(
      { limit: 100 },
      { getNextPageParam: (page) => page.nextCursor ?? undefined },
    ),
  );
  if (list.isPending) return <RowsLoading label="Loading members" rows={3} />;
  if (!list.data) {
    return (
      <FailedQuery query={list} title="Could not load the members">
        Access to the team is not affected.
      </FailedQuery>
    );
  }
  return (
    <>
      <ul aria-label="Members" className="border-t">
        {list.data.pages
          .flatMap(({ members }) => members)
          .map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              me={me}
              onRole={(role) => setRole(member, role)}
              onRemove={() => setRemoving(member)}
              onLeave={() => setLeaving(true)}
            />
          ))}
      </ul>
      <LoadMore query={list} />
      <RemoveMemberDialog member={removing} teamName={team.name} onClose={() => setRemoving(null)} />
      <LeaveDialog open={leaving} myId={me.id} team={team} otherTeams={otherTeams} onClose={() => setLeaving(false)} />
    </>
  );
}
