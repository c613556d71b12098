'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { Alert } from '@/app/_components/ui/alert';
import { Button } from '@/app/_components/ui/button';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { Import, ImportKind } from '@/server/imports/schema';
import { kindWords } from './kinds';
import { Progress } from './steps';

const waitMs = 400;
const retryMs = 3_000;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const kinds = Object.keys(kindWords) as ImportKind[];
const isOver = ({ state }: Import) => state === 'done' || state === 'undone';

function finished({ counts, state }: Import, kind: ImportKind): number {
  const { total, waiting, created, deleted, left } = counts[kind];
  return state === 'undoing' ? deleted + left : total - waiting - (state === 'running' ? 0 : created);
}

function wanted({ counts, state }: Import, kind: ImportKind): number {
  const { total, created, deleted, left } = counts[kind];
  return state === 'undoing' ? created + deleted + left : total;
}

/** Does the next steps of a running import or undo until it ends, and shows the progress. */
export function Running({ initial, onEnded }: { initial: Import; onEnded: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const [progress, setProgress] = useState(initial);
  const [problem, setProblem] = useState<string | null>(null);
  const { id } = initial;
  const isUndo = initial.state === 'undoing';
  const end = useEffectEvent(() => {
    void queryClient.invalidateQueries(trpc.monitors.pathFilter());
    onEnded();
  });
  useEffect(() => {
    let isLeft = false;
    const work = async () => {
      while (!isLeft) {
        try {
          const step = isUndo ? client.imports.undo.mutate({ id }) : client.imports.run.mutate({ id });
          const { import: next } = await step;
          if (isLeft) return;
          setProblem(null);
          setProgress(next);
          if (isOver(next) || (next.state === 'undoing') !== isUndo) return end();
          await sleep(waitMs);
        } catch (error) {
          setProblem(readApiError(error).message);
          await sleep(retryMs);
        }
      }
    };
    void work();
    return () => {
      isLeft = true;
    };
  }, [client, id, isUndo]);
  const all = kinds.reduce((sum, kind) => sum + wanted(progress, kind), 0);
  const done = kinds.reduce((sum, kind) => sum + finished(progress, kind), 0);
  return (
    <section aria-label="Progress" className="grid max-w-[760px] gap-3">
      <h2 role="status">
        {isUndo ? 'Undoing the import' : 'Importing'}: {done} of {all}
      </h2>
      <Progress value={all === 0 ? 1 : done / all} label={isUndo ? 'Undo' : 'Import'} />
      <ul className="divide-y">
        {kinds
          .filter((kind) => wanted(progress, kind) > 0)
          .map((kind) => (
            <li key={kind} className="flex justify-between gap-4 py-2">
              <span>{kindWords[kind].many}</span>
              <span className="num text-muted">
                {finished(progress, kind)} of {wanted(progress, kind)}
              </span>
            </li>
          ))}
      </ul>
      {progress.current ? <p className="truncate text-small text-muted">Next: {progress.current}</p> : null}
      {problem ? (
        <Alert state="degraded" role="alert">
          {problem}
        </Alert>
      ) : null}
      <p className="text-small text-muted">
        Keep this page open. If you leave it, the import waits, and continues when you open it again.
      </p>
      {isUndo ? null : (
        <div>
          <Button onClick={() => void client.imports.undo.mutate({ id }).then(end)}>Cancel and undo</Button>
        </div>
      )}
    </section>
  );
}
