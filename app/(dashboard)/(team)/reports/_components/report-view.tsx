'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { usePathname, useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { saveCsv } from '@/app/_components/csv';
import { FailedQuery } from '@/app/_components/failed-query';
import { formatCount, formatLatency, formatLongDuration, percentDigits } from '@/app/_components/format';
import { ChosenMonitors } from '@/app/_components/monitors/chosen-monitors';
import { PageHead } from '@/app/_components/page';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Empty } from '@/app/_components/ui/empty';
import { Field } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { Stat, StatGrid } from '@/app/_components/ui/stat-grid';
import { useTRPC } from '@/app/_trpc/client';
import { MOST_NAMED, type Report, type ReportInput } from '@/server/reports/schema';
import { type Choice, choiceToQuery, type Period, readChoice, readObjective, reportInput } from './report-choice';
import { reportCsv } from './report-csv';
import { ReportTable } from './report-table';
import { budgetWords, burnWords, coverageWords, spanWords } from './report-words';

const periods: readonly { value: Period; label: string }[] = [
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '90d', label: 'Last 90 days' },
  { value: 'month', label: 'This month' },
  { value: 'last-month', label: 'Last month' },
];

export interface ReportViewProps {
  /** What the server rendered. */
  initial: { input: ReportInput; data: Report } | undefined;
}

/** Uptime and response time of monitors against an objective. */
export function ReportView({ initial }: ReportViewProps) {
  const trpc = useTRPC();
  const params = useSearchParams();
  const pathname = usePathname();
  const choice = readChoice((name) => params.get(name));
  const input = reportInput(choice, new Date());
  const isInitial = initial !== undefined && JSON.stringify(initial.input) === JSON.stringify(input);
  const query = useQuery(
    trpc.reports.get.queryOptions(input, {
      placeholderData: keepPreviousData,
      ...(isInitial && { initialData: initial.data }),
    }),
  );
  const report = query.data;
  const change = (some: Partial<Choice>) => {
    const search = choiceToQuery({ ...choice, ...some });
    window.history.pushState(null, '', search ? `${pathname}?${search}` : pathname);
  };
  const isEmpty = report?.monitors.length === 0;
  return (
    <>
      <PageHead title="Reports" note={report ? `${spanWords(report)}, UTC` : null}>
        <span className="flex gap-2 print:hidden">
          <Button disabled={!report || isEmpty} onClick={() => report && saveCsv('report', reportCsv(report))}>
            <Icon name="download" />
            CSV
          </Button>
          <Button onClick={() => window.print()}>Print or save as PDF</Button>
        </span>
      </PageHead>
      <Controls choice={choice} onChange={change} />
      {query.isPending ? <RowsLoading label="Loading report" /> : null}
      {query.isError && !report ? (
        <FailedQuery query={query} title="Could not load the report">
          Monitoring is not affected.
        </FailedQuery>
      ) : null}
      {isEmpty ? (
        <Empty
          title="No monitors in this report"
          action={<Button onClick={() => change({ tag: '', monitorIds: [] })}>Report all monitors</Button>}
        >
          A report shows the uptime of monitors against an objective, and their response time.
        </Empty>
      ) : null}
      {report && !isEmpty ? (
        <div aria-busy={query.isPlaceholderData || undefined}>
          <Figures report={report} />
          <ReportTable report={report} />
          {report.isComplete ? null : (
            <p className="mt-3 text-small text-muted">
              These are the first {formatCount(report.monitors.length)} monitors, and the figures above cover only them.
              Choose a tag or monitors to see others.
            </p>
          )}
          {report.missing > 0 ? (
            <p className="mt-3 text-small text-muted">
              {report.missing === 1 ? 'One of the chosen monitors' : `${report.missing} of the chosen monitors`} no
              longer {report.missing === 1 ? 'exists' : 'exist'}.
            </p>
          ) : null}
        </div>
      ) : null}
    </>
  );
}

function Figures({ report }: { report: Report }) {
  const { overall, objective, monitors } = report;
  const budget = budgetWords(overall);
  const known = monitors.filter(({ ratio }) => ratio !== null);
  const met = known.filter(({ leftSeconds }) => leftSeconds !== null && leftSeconds >= 0).length;
  return (
    <StatGrid as="dl" className="mb-6 grid-cols-2 max-lg:*:last:col-span-2 lg:grid-cols-5">
      <Stat
        label="Uptime"
        value={percentDigits(overall.ratio)}
        unit={overall.ratio === null ? undefined : '%'}
        note={[`${formatLongDuration(overall.downSeconds)} down`, coverageWords(overall, report, monitors.length)]
          .filter((words) => words !== null)
          .join(', ')}
      />
      <Stat label="Objective met" value={`${met} of ${known.length}`} note={`at ${objective} % or more`} />
      <Stat label="Error budget left" value={budget.share} note={budget.time} />
      <Stat label="Burn rate" value={burnWords(overall)} note="1× uses up the budget" />
      <Stat
        label="Response time"
        value={formatLatency(overall.p95Ms)}
        note={`p95; p50 ${formatLatency(overall.p50Ms)}`}
      />
    </StatGrid>
  );
}

interface ControlsProps {
  choice: Choice;
  onChange: (choice: Partial<Choice>) => void;
}

/** A value that no tag has, because the value of an option cannot be empty. */
const ANY = ' any';

/** What the report covers. Each choice takes effect at once. */
function Controls({ choice, onChange }: ControlsProps) {
  const { period, tag, monitorIds, objective } = choice;
  const trpc = useTRPC();
  const known = useQuery(trpc.monitors.tags.queryOptions()).data?.tags.map((each) => each.tag) ?? [];
  const tags = tag && !known.includes(tag) ? [tag, ...known] : known;
  const [isChoosing, setChoosing] = useState(false);
  return (
    <form
      aria-label="Report"
      noValidate
      onSubmit={(event) => event.preventDefault()}
      className="mb-5 grid grid-cols-2 items-start gap-3 sm:flex sm:flex-wrap"
    >
      <Field label="Period" className="sm:w-40">
        <Select options={periods} value={period} onValueChange={(value) => onChange({ period: value })} />
      </Field>
      <ObjectiveField objective={objective} onChange={onChange} />
      <Field label="Tag" className="sm:w-44">
        <Select
          options={[{ value: ANY, label: 'Any tag' }, ...tags.map((value) => ({ value, label: value }))]}
          value={tag || ANY}
          onValueChange={(value) => onChange({ tag: value === ANY ? '' : value, monitorIds: [] })}
        />
      </Field>
      <div className="grid gap-1.5">
        <span className="font-medium" aria-hidden="true">
          Monitors
        </span>
        <Button className="sm:h-[34px]" onClick={() => setChoosing(true)}>
          <span className="sr-only">Choose monitors: </span>
          {monitorIds.length === 0 ? 'All' : `${monitorIds.length} chosen`}
        </Button>
      </div>
      {isChoosing ? (
        <Dialog
          open
          onOpenChange={setChoosing}
          title="Monitors of the report"
          description={`Without any, the report covers all${tag ? ' with the tag' : ''}. At most ${MOST_NAMED}.`}
          footer={
            <>
              <Button onClick={() => onChange({ monitorIds: [] })}>All monitors</Button>
              <Button variant="primary" onClick={() => setChoosing(false)}>
                Done
              </Button>
            </>
          }
        >
          <ChosenMonitors
            ids={monitorIds}
            onChange={(ids) => onChange({ monitorIds: ids.slice(0, MOST_NAMED), tag: '' })}
          />
        </Dialog>
      ) : null}
    </form>
  );
}

function ObjectiveField({ objective, onChange }: { objective: number; onChange: ControlsProps['onChange'] }) {
  const [text, setText] = useState(String(objective));
  const [known, setKnown] = useState(objective);
  // The URL changed elsewhere, such as by the back button.
  if (known !== objective) {
    setKnown(objective);
    if (readObjective(text) !== objective) setText(String(objective));
  }
  const [isWrong, setWrong] = useState(false);
  const apply = () => {
    const value = readObjective(text);
    setWrong(value === null);
    if (value !== null && value !== objective) onChange({ objective: value });
  };
  return (
    <Field
      label="Objective in %"
      error={isWrong ? 'Enter 50 to 99.9999, such as 99.95.' : undefined}
      className="sm:w-36"
    >
      <Input
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={apply}
        onKeyDown={(event) => event.key === 'Enter' && apply()}
      />
    </Field>
  );
}
