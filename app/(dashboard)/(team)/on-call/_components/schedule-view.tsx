'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { DeleteButton } from '@/app/_components/delete-button';
import { FailedQuery } from '@/app/_components/failed-query';
import { FeedButton } from '@/app/_components/feed-button';
import { ManagedByGit } from '@/app/_components/managed-by-git';
import { NotLoaded } from '@/app/_components/not-loaded';
import { toUses, UsedBy, usePoliciesNaming, usesText } from '@/app/_components/on-call/used-by';
import { PageHead, Section } from '@/app/_components/page';
import { localAt, momentsOf } from '@/app/_components/time/local-time';
import { Alert } from '@/app/_components/ui/alert';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';
import { lazyPart } from '@/app/_components/ui/lazy-part';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { Stat, StatGrid } from '@/app/_components/ui/stat-grid';
import { useTitle } from '@/app/_components/use-title';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { Schedule, Timeline } from '@/server/on-call/schema';
import { DAY_MS } from '@/server/time/schema';
import { layerText, momentText } from './on-call-words';
import { Overrides } from './overrides';
import { TimelineGrid } from './timeline-grid';

// Loaded when it is opened for the first time.
const OverrideDialog = lazyPart(() => import('./override-dialog').then((module) => module.OverrideDialog));

export interface ScheduleViewProps {
  id: string;
  initial: { schedule: Schedule } | undefined;
  role: string | null;
  userId: string;
}

const DAYS = 14;

/** Two weeks from the start of a day in the schedule's time zone. */
function rangeOf(timezone: string, page: number) {
  const today = localAt(Date.now() + page * DAYS * DAY_MS, timezone).slice(0, 10);
  const [start = new Date()] = momentsOf(`${today}T00:00`, timezone);
  return { from: start.toISOString(), to: new Date(start.getTime() + DAYS * DAY_MS).toISOString() };
}

/** The page of a schedule: who is on call now, coming shifts, gaps and overrides. */
export function ScheduleView({ id, initial, role, userId }: ScheduleViewProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [page, setPage] = useState(0);
  const [isAdding, setAdding] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const query = useQuery(
    trpc.onCall.get.queryOptions({ id }, { enabled: !isDeleting, ...(initial && { initialData: initial }) }),
  );
  const schedule = query.data?.schedule;
  const range = rangeOf(schedule?.timezone ?? 'UTC', page);
  const timelineQuery = useQuery(
    trpc.onCall.timeline.queryOptions({ id, ...range }, { enabled: schedule !== undefined && !isDeleting }),
  );
  const policies = usePoliciesNaming(id);
  const uses = policies && toUses(policies, id);
  useTitle(`${schedule?.name ?? 'On-call schedule'} · Upwatch`);
  if (!schedule) return <NotLoaded query={query} noun="the schedule" />;
  const canManage = role === 'owner' || role === 'admin';
  const canCover = canManage || role === 'member';
  const timeline = timelineQuery.data?.timeline;
  const { timezone, now, nextHandoffAt: handoffAt } = schedule;
  const yours = timeline?.final.find(({ user, endsAt }) => user?.id === userId && Date.parse(endsAt) > Date.now());
  const isYours = yours !== undefined && Date.parse(yours.startsAt) <= Date.now();
  const untilText = handoffAt ? `until ${momentText(handoffAt, timezone)}` : 'for at least two weeks';
  return (
    <>
      <PageHead title={schedule.name} note={timezone.replaceAll('_', ' ')}>
        <ManagedByGit externalId={schedule.externalId} />
        <FeedButton kind="on_call" scheduleId={id}>
          iCal feed
        </FeedButton>
        {canCover ? (
          <Button onClick={() => setAdding(true)}>
            <Icon name="plus" />
            Add override
          </Button>
        ) : null}
        {canManage ? (
          <>
            <Button asChild variant="primary">
              <Link href={`/on-call/schedules/${id}/edit`}>
                <Icon name="edit" />
                Edit schedule
              </Link>
            </Button>
            <DeleteButton
              name={schedule.name}
              verb="Delete schedule"
              remove={() => client.onCall.delete.mutate({ id })}
              onDeleting={setDeleting}
              onDeleted={() => {
                void queryClient.invalidateQueries(trpc.onCall.list.pathFilter());
                router.push('/on-call/schedules');
              }}
            >
              Its overrides and calendar links are deleted too.
              {uses && uses.length > 0
                ? ` It is used by ${usesText(uses)}. Steps that name nobody else are skipped from then on.`
                : null}
            </DeleteButton>
          </>
        ) : null}
      </PageHead>
      <StatGrid as="dl" className="mb-6 sm:grid-cols-3">
        <Stat
          label="On call now"
          value={<span className="[overflow-wrap:anywhere]">{now.user?.name ?? 'Nobody'}</span>}
          note={untilText}
        />
        <Stat
          label="Next handoff"
          value={handoffAt ? momentText(handoffAt, timezone) : '–'}
          note={handoffAt ? timezone.replaceAll('_', ' ') : 'None in two weeks'}
        />
        <Stat
          label={isYours ? 'Your shift' : 'Your next shift'}
          value={isYours ? 'Now' : yours ? momentText(yours.startsAt, timezone) : '–'}
          note={isYours ? untilText : yours ? `until ${momentText(yours.endsAt, timezone)}` : 'None in these two weeks'}
        />
      </StatGrid>
      {timeline ? <Gaps timeline={timeline} timezone={timezone} /> : null}
      <Section
        title="Shifts"
        actions={
          <>
            <Button square aria-label="Previous two weeks" onClick={() => setPage(page - 1)}>
              <Icon name="chevron-left" />
            </Button>
            <Button onClick={() => setPage(0)}>Today</Button>
            <Button square aria-label="Next two weeks" onClick={() => setPage(page + 1)}>
              <Icon name="chevron-right" />
            </Button>
          </>
        }
      >
        {timelineQuery.isPending ? <RowsLoading label="Loading the shifts" /> : null}
        {timelineQuery.isError && !timeline ? (
          <FailedQuery query={timelineQuery} title="Could not load the shifts" />
        ) : null}
        {timeline ? <TimelineGrid timeline={timeline} timeZone={timezone} now={Date.now()} /> : null}
        <ul className="mt-3 text-small text-muted">
          {schedule.layers.map((layer) => (
            <li key={layer.name}>
              {layer.name}: {layerText(layer)}
            </li>
          ))}
        </ul>
      </Section>
      <UsedBy uses={uses} nothing="Not used by any escalation policy, so nobody is notified through this schedule." />
      {timeline ? (
        <Overrides
          timeline={timeline}
          schedule={schedule}
          canChange={(user) => canManage || (canCover && user === userId)}
        />
      ) : null}
      {isAdding ? <OverrideDialog schedule={schedule} onClose={() => setAdding(false)} /> : null}
    </>
  );
}

function Gaps({ timeline, timezone }: { timeline: Timeline; timezone: string }) {
  const gaps = timeline.final.filter(({ user, endsAt }) => user === null && Date.parse(endsAt) > Date.now());
  const [first] = gaps;
  if (!first) return null;
  const isNow = Date.parse(first.startsAt) <= Date.now();
  const others = gaps.length - 1;
  return (
    <Alert state="degraded">
      No one is on call {isNow ? 'now, until' : `${momentText(first.startsAt, timezone)} to`}{' '}
      {momentText(first.endsAt, timezone)}
      {others > 0 ? `, and at ${others} other ${others === 1 ? 'time' : 'times'}` : ''}. During that time, escalations
      skip to their next step.
    </Alert>
  );
}
