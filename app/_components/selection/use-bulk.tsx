'use client';

import { useState } from 'react';
import { toast } from '@/app/_components/toast/toast';
import { Alert } from '@/app/_components/ui/alert';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';
import { type BulkOutcome, refusalLines } from './act-in-bulk';
import type { Selection } from './use-selection';

/** The texts for an outcome. */
export interface BulkWords<Row> {
  nameOf: (row: Row) => string;
  /** "Paused 3 monitors" */
  done: (rows: readonly Row[]) => string;
  /** "1 was paused before" */
  unchanged?: (count: number) => string;
  /** "2 monitors were not paused" */
  refused: (count: number) => string;
  /** Undoes the action for the rows that it changed. */
  undo?: { label: string; run: (rows: Row[]) => void };
}

interface Report {
  title: string;
  lines: string[];
}

/** Runs bulk actions on a selection. Reports successes in a toast, and refused rows in a notice that stays. Rows of a failed call stay selected. */
export function useBulk<Row extends { id: string }>({ set }: Selection<Row>) {
  const [report, setReport] = useState<Report | null>(null);
  const [isBusy, setBusy] = useState(false);
  async function run(action: () => Promise<BulkOutcome<Row>>, words: BulkWords<Row>): Promise<void> {
    setReport(null);
    setBusy(true);
    try {
      const { done, unchanged, refused } = await action();
      const said = [
        ...(done.length > 0 ? [words.done(done)] : []),
        ...(unchanged.length > 0 && words.unchanged ? [words.unchanged(unchanged.length)] : []),
      ];
      const { undo } = words;
      const canUndo = undo && done.length > 0;
      if (said.length > 0) {
        toast(said.join('. '), {
          ...(canUndo && { action: { label: undo.label, onClick: () => undo.run(done) } }),
        });
      }
      if (refused.length > 0) {
        setReport({ title: words.refused(refused.length), lines: refusalLines(refused, words.nameOf) });
      }
      set(refused.filter(({ canRetry }) => canRetry).map(({ row }) => row));
    } finally {
      setBusy(false);
    }
  }
  const notice = report ? <Refusals {...report} onDismiss={() => setReport(null)} /> : null;
  return { run, isBusy, notice };
}

function Refusals({ title, lines, onDismiss }: Report & { onDismiss: () => void }) {
  return (
    <Alert
      state="degraded"
      role="alert"
      className="mb-3"
      title={
        <span className="flex items-start justify-between gap-2">
          {title}
          <Button variant="ghost" size="small" square aria-label="Dismiss" onClick={onDismiss}>
            <Icon name="x" small />
          </Button>
        </span>
      }
    >
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Alert>
  );
}
