'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailedQuery } from '@/app/_components/failed-query';
import { Section } from '@/app/_components/page';
import { Glyph } from '@/app/_components/status/glyph';
import { Alert } from '@/app/_components/ui/alert';
import { Button } from '@/app/_components/ui/button';
import { CheckboxRow } from '@/app/_components/ui/checkbox';
import { Icon } from '@/app/_components/ui/icon';
import { Input } from '@/app/_components/ui/input';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { Stat, StatGrid } from '@/app/_components/ui/stat-grid';
import { ToggleGroup } from '@/app/_components/ui/toggle-group';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { ImportKind, ImportPreview, PreviewItem } from '@/server/imports/schema';
import { type Action, actionOf, defaultAction, refOf } from './actions';
import { countOf, kindWords } from './kinds';
import { PreviewRow } from './preview-row';

/** The number of rows that are shown at first. */
const FIRST_ROWS = 100;

/** The second step: what the import would create, and the choices. */
export function Preview({ id, onStarted, onLeave }: { id: string; onStarted: () => void; onLeave: () => void }) {
  const trpc = useTRPC();
  const preview = useQuery(trpc.imports.preview.queryOptions({ id }, { staleTime: Number.POSITIVE_INFINITY }));
  if (preview.data) return <Choices preview={preview.data} onStarted={onStarted} onLeave={onLeave} />;
  if (!preview.isError) return <RowsLoading />;
  return (
    <FailedQuery query={preview} title="The preview could not be loaded">
      <Button onClick={onLeave}>Upload a file</Button>
    </FailedQuery>
  );
}

function Choices({
  preview,
  onStarted,
  onLeave,
}: {
  preview: ImportPreview;
  onStarted: () => void;
  onLeave: () => void;
}) {
  const trpc = useTRPC();
  const { items, leftOut, notes, monitors, plan, historyDays } = preview;
  const [actions, setActions] = useState<ReadonlyMap<string, Action>>(new Map());
  const [startPaused, setStartPaused] = useState(true);
  const [history, setHistory] = useState(true);
  const start = useMutation(trpc.imports.start.mutationOptions({ onSuccess: onStarted }));
  const chosen = items.map((item) => ({ item, action: actionOf(item, actions) }));
  const refsOf = (action: Action) => chosen.filter((each) => each.action === action).map(({ item }) => refOf(item));
  const added = chosen.filter(
    ({ item, action }) => item.kind === 'monitor' && (action === 'create' || action === 'copy'),
  );
  const isOver = monitors.most !== null && monitors.present + added.length > monitors.most;
  const set = (changed: readonly PreviewItem[], action: (item: PreviewItem) => Action) =>
    setActions(new Map([...actions, ...changed.map((item) => [refOf(item), action(item)] as const)]));
  const confirm = () =>
    start.mutate({
      id: preview.import.id,
      skip: refsOf('skip'),
      copy: refsOf('copy'),
      update: refsOf('update'),
      startPaused,
      history,
    });
  return (
    <>
      <Figures items={items} leftOut={leftOut.length} />
      {notes.length > 0 ? (
        <ul className="mb-4 list-disc pl-5 text-muted">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      ) : null}
      <Items chosen={chosen} onChange={set} />
      <LeftOut leftOut={leftOut} />
      <Section title="Options">
        <CheckboxRow
          checked={startPaused}
          onCheckedChange={(checked) => setStartPaused(checked === true)}
          note="no checks and alerts until you resume them"
        >
          Create monitors paused
        </CheckboxRow>
        {historyDays > 0 ? (
          <CheckboxRow
            checked={history}
            onCheckedChange={(checked) => setHistory(checked === true)}
            note={`up to ${historyDays} days of uptime`}
          >
            History
          </CheckboxRow>
        ) : null}
      </Section>
      {start.error ? (
        <Alert state="down" role="alert" className="mt-4">
          {readApiError(start.error).message}
        </Alert>
      ) : null}
      <div className="mt-6 flex flex-wrap items-center gap-2 border-t pt-5">
        <Button variant="primary" disabled={isOver} busy={start.isPending} onClick={confirm}>
          {added.length > 0 ? `Import ${countOf(added.length, 'monitor')}` : 'Import'}
        </Button>
        <Button variant="ghost" onClick={onLeave}>
          Back
        </Button>
        <span className="grow" />
        <span className={isOver ? 'text-down-fg' : 'num text-small text-muted'}>
          {monitors.present.toLocaleString('en')} + {added.length.toLocaleString('en')}
          {monitors.most === null
            ? ' monitors'
            : ` of ${monitors.most.toLocaleString('en')} monitors on the ${plan} plan`}
        </span>
      </div>
    </>
  );
}

function Figures({ items, leftOut }: { items: readonly PreviewItem[]; leftOut: number }) {
  const existing = items.filter((item) => item.existing).length;
  const changed = items.filter((item) => !item.existing && item.notes.length > 0).length;
  const label = (state: 'up' | 'degraded' | 'paused', text: string) => (
    <>
      <Glyph state={state} /> {text}
    </>
  );
  return (
    <StatGrid as="dl" className="mb-4 grid-cols-2 sm:grid-cols-4">
      <Stat label={label('up', 'Ready')} value={items.length - existing - changed} note="created as they are" />
      <Stat label={label('degraded', 'Conflicts')} value={existing} note="already exist here" />
      <Stat
        label={
          <>
            <Icon name="edit" small /> Changed
          </>
        }
        value={changed}
        note="imported with differences"
      />
      <Stat
        label={
          <>
            <Icon name="x" small /> Not carried over
          </>
        }
        value={leftOut}
        note="with the reason below"
      />
    </StatGrid>
  );
}

interface Chosen {
  item: PreviewItem;
  action: Action;
}

function Items({
  chosen,
  onChange,
}: {
  chosen: readonly Chosen[];
  onChange: (items: readonly PreviewItem[], action: (item: PreviewItem) => Action) => void;
}) {
  const [show, setShow] = useState<'all' | 'attention'>('all');
  const [text, setText] = useState('');
  const [most, setMost] = useState(FIRST_ROWS);
  const needed = chosen.filter(({ item }) => item.existing || item.notes.length > 0);
  const found = (show === 'all' ? chosen : needed).filter(({ item }) =>
    `${item.name} ${item.detail} ${item.from}`.toLowerCase().includes(text.trim().toLowerCase()),
  );
  const shown = found.slice(0, most);
  const kinds = Object.keys(kindWords) as ImportKind[];
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Input
          type="search"
          className="sm:w-64"
          placeholder="Name or target"
          aria-label="Search items"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <ToggleGroup
          label="Show"
          options={[
            { value: 'all', label: `All ${chosen.length}` },
            { value: 'attention', label: `With notes ${needed.length}` },
          ]}
          value={show}
          onValueChange={setShow}
        />
      </div>
      {kinds.map((kind) => {
        const rows = shown.filter(({ item }) => item.kind === kind);
        const ofKind = found.filter(({ item }) => item.kind === kind);
        const all = ofKind.map(({ item }) => item);
        if (rows.length === 0) return null;
        const skipped = ofKind.filter(({ action }) => action === 'skip').length;
        const checked = skipped === 0 ? true : skipped === all.length ? false : 'indeterminate';
        return (
          <Section key={kind} title={kindWords[kind].many} note={all.length} className="mt-6">
            <CheckboxRow
              checked={checked}
              onCheckedChange={(on) => onChange(all, on === true ? defaultAction : () => 'skip')}
            >
              {`Import all ${kindWords[kind].many.toLowerCase()}`}
            </CheckboxRow>
            <ul className="mt-1 divide-y border-y">
              {rows.map(({ item, action }) => (
                <PreviewRow
                  key={item.key}
                  item={item}
                  action={action}
                  onAction={(next) => onChange([item], () => next)}
                />
              ))}
            </ul>
          </Section>
        );
      })}
      {found.length > most ? (
        <Button className="mt-3" onClick={() => setMost(most + 10 * FIRST_ROWS)}>
          Show more
        </Button>
      ) : null}
    </>
  );
}

function LeftOut({ leftOut }: Pick<ImportPreview, 'leftOut'>) {
  if (leftOut.length === 0) return null;
  return (
    <Section title="Not carried over" note={leftOut.length}>
      <ul className="divide-y border-y">
        {leftOut.map(({ kind, name, from, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index} className="grid gap-x-4 py-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)]">
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <span className="font-medium">{name}</span>{' '}
              <span className="text-small text-muted">
                {kindWords[kind].one}, {from}
              </span>
            </span>
            <span className="text-muted">{reason}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
