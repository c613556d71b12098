'use client';

import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { linkClass } from '@/app/_components/page';
import { StatusIcon } from '@/app/_components/status/status-icon';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { Button } from '@/app/_components/ui/button';
import { CheckboxRow } from '@/app/_components/ui/checkbox';
import { useTRPC } from '@/app/_trpc/client';
import { type ImportItem, type ImportKind, type ImportReport, KEPT_DAYS } from '@/server/imports/schema';
import { countOf, kindWords } from './kinds';

const kinds = Object.keys(kindWords) as ImportKind[];

const paths: Record<ImportKind, string> = {
  channel: '/channels',
  monitor: '/monitors',
  window: '/maintenance',
  page: '/status-pages',
};

const outcomes: Partial<Record<ImportItem['outcome'], string>> = {
  created: 'Created',
  failed: 'Failed',
  left: 'Not deleted',
  kept: 'Kept',
  updated: 'Updated',
};

/** The last step: what was imported, what failed, and undo. */
export function Report({
  report,
  onChanged,
  onLeave,
}: {
  report: ImportReport;
  onChanged: () => void;
  onLeave: () => void;
}) {
  const { import: ended, items } = report;
  const { state, counts } = ended;
  const isUndone = state === 'undone';
  const sum = (outcome: 'created' | 'failed' | 'left') =>
    kinds.reduce((total, kind) => total + counts[kind][outcome], 0);
  const title = isUndone ? 'The import is undone' : `${countOf(counts.monitor.created, 'monitor')} imported`;
  const [failed, left] = [sum('failed'), sum('left')];
  return (
    <section aria-label="Report" className="grid max-w-[860px] gap-4">
      <div className="flex items-center gap-3">
        <StatusIcon state={failed > 0 || left > 0 ? 'degraded' : 'up'} />
        <div className="min-w-0">
          <h2 role="status">{title}</h2>
          <p className="text-muted [overflow-wrap:anywhere]">{ended.fileName}</p>
        </div>
      </div>
      <ul className="divide-y border-y">
        {kinds
          .filter((kind) => counts[kind].total > 0)
          .map((kind) => (
            <li key={kind} className="flex flex-wrap justify-between gap-x-4 py-2">
              <Link href={paths[kind]} className={linkClass}>
                {kindWords[kind].many}
              </Link>
              <span className="num text-muted">{toWords(counts[kind])}</span>
            </li>
          ))}
      </ul>
      {items.length > 0 ? <Attention items={items} /> : null}
      <div className="flex flex-wrap items-center gap-2">
        {!isUndone || left > 0 ? <Undo id={ended.id} isUndone={isUndone} left={left} onChanged={onChanged} /> : null}
        <Button variant="ghost" onClick={onLeave}>
          Import another file
        </Button>
      </div>
    </section>
  );
}

function toWords({
  created,
  updated,
  kept,
  failed,
  deleted,
  left,
}: ImportReport['import']['counts']['monitor']): string {
  const parts: [number, string][] = [
    [created, 'created'],
    [updated, 'updated'],
    [kept, 'kept'],
    [failed, 'failed'],
    [deleted, 'deleted'],
    [left, 'not deleted'],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
}

function Attention({ items }: { items: readonly ImportItem[] }) {
  return (
    <ul className="divide-y border-y">
      {items.map(({ kind, name, outcome, objectId, note }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list changes as a whole
        <li key={index} className="grid gap-x-4 py-2 sm:grid-cols-[120px_minmax(0,1fr)_minmax(0,1.5fr)]">
          <span className="text-muted">{outcomes[outcome] ?? ''}</span>
          <span className="min-w-0 font-medium [overflow-wrap:anywhere]">
            {objectId && outcome !== 'deleted' ? (
              <Link href={kind === 'window' ? paths.window : `${paths[kind]}/${objectId}`} className={linkClass}>
                {name}
              </Link>
            ) : (
              name
            )}
          </span>
          <span className="text-muted [overflow-wrap:anywhere]">{note}</span>
        </li>
      ))}
    </ul>
  );
}

function Undo({
  id,
  isUndone,
  left,
  onChanged,
}: {
  id: string;
  isUndone: boolean;
  left: number;
  onChanged: () => void;
}) {
  const trpc = useTRPC();
  const [asking, setAsking] = useState(false);
  const [includeChanged, setIncludeChanged] = useState(false);
  const undo = useMutation(
    trpc.imports.undo.mutationOptions({
      onSuccess: () => {
        setAsking(false);
        onChanged();
      },
    }),
  );
  return (
    <>
      <Button onClick={() => setAsking(true)}>{isUndone ? `Delete the other ${left}` : 'Undo import'}</Button>
      {isUndone ? null : <span className="text-small text-muted">You can undo it for {KEPT_DAYS} days.</span>}
      <AlertDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={isUndone ? 'Delete what was changed?' : 'Undo the import?'}
        safe="Cancel"
        verb={isUndone ? 'Delete' : 'Undo import'}
        danger
        doing={undo}
        onConfirm={() => undo.mutate({ id, includeChanged: isUndone || includeChanged })}
      >
        <p>Everything that the import created is deleted, with its history. What existed before stays.</p>
        {isUndone ? null : (
          <CheckboxRow checked={includeChanged} onCheckedChange={(checked) => setIncludeChanged(checked === true)}>
            Also delete what was changed or used elsewhere since
          </CheckboxRow>
        )}
      </AlertDialog>
    </>
  );
}
