'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { NewButton } from '@/app/_components/new-button';
import { PageHead } from '@/app/_components/page';
import { PagedList } from '@/app/_components/paged-list';
import { Glyph } from '@/app/_components/status/glyph';
import { Empty } from '@/app/_components/ui/empty';
import { Cell, ColumnHead, Row, RowLink, Table, TableBody, TableHead } from '@/app/_components/ui/table';
import { useTRPC } from '@/app/_trpc/client';
import { firstPage } from '@/app/_trpc/first-page';
import type { EscalationPolicy } from '@/server/on-call/schema';
import { policyScopeText } from './on-call-words';
import { warningCount } from './policy-warnings';

export interface PoliciesViewProps {
  initial: { escalationPolicies: EscalationPolicy[]; nextCursor: string | null } | undefined;
  canWrite: boolean;
}

export function PoliciesView({ initial, canWrite }: PoliciesViewProps) {
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.escalationPolicies.list.infiniteQueryOptions(
      { limit: 100 },
      { getNextPageParam: (page) => page.nextCursor, ...(initial && { initialData: firstPage(initial) }) },
    ),
  );
  const policies = query.data?.pages.flatMap((page) => page.escalationPolicies);
  const add = canWrite ? <NewButton href="/on-call/escalation-policies/new">New policy</NewButton> : null;
  return (
    <>
      <PageHead title="Escalation policies">{add}</PageHead>
      <PagedList
        query={query}
        items={policies}
        noun="escalation policies"
        unaffected="Escalations are not affected."
        empty={
          <Empty title="No escalation policies yet" action={add}>
            An escalation policy defines who is notified of an incident, and who is next if nobody acknowledges it.
          </Empty>
        }
      >
        {(all) => <PoliciesTable policies={all} />}
      </PagedList>
    </>
  );
}

function PoliciesTable({ policies }: { policies: EscalationPolicy[] }) {
  return (
    <Table
      label="Escalation policies"
      className="[--cols:minmax(0,1fr)] lg:[--cols:minmax(0,1fr)_minmax(0,1fr)_120px_160px_160px]"
    >
      <TableHead>
        <ColumnHead>Policy</ColumnHead>
        <ColumnHead>Incidents</ColumnHead>
        <ColumnHead>Steps</ColumnHead>
        <ColumnHead>Escalations</ColumnHead>
        <ColumnHead>Warnings</ColumnHead>
      </TableHead>
      <TableBody>
        {policies.map((policy) => (
          <Row key={policy.id} className="py-1.5 max-lg:gap-y-1">
            <Cell>
              <RowLink href={`/on-call/escalation-policies/${policy.id}`}>{policy.name}</RowLink>
            </Cell>
            <Cell className="truncate text-muted">{policyScopeText(policy)}</Cell>
            <Cell className="num text-muted max-lg:hidden">{policy.steps.length}</Cell>
            <Cell className="num text-muted">
              {policy.activeEscalations === 0 ? 'None active' : `${policy.activeEscalations} active`}
            </Cell>
            <Cell className="num text-muted">
              {policy.warnings.length === 0 ? (
                <span className="max-lg:hidden">None</span>
              ) : (
                <span data-state="degraded" className="flex items-center gap-2">
                  <Glyph state="degraded" />
                  {warningCount(policy.warnings.length)}
                </span>
              )}
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
