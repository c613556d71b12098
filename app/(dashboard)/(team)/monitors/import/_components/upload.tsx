'use client';

import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { useId, useRef, useState } from 'react';
import { cn } from '@/app/_components/cn';
import { linkClass, Section } from '@/app/_components/page';
import { Timestamp } from '@/app/_components/time/time';
import { Button } from '@/app/_components/ui/button';
import { CopyButton } from '@/app/_components/ui/copy-button';
import { FieldError } from '@/app/_components/ui/field';
import { RadioGroup } from '@/app/_components/ui/radio-group';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import { type Import, type ImportSource, importSources, sourceOf, sources } from '@/server/imports/schema';
import { Progress } from './steps';
import { uploadFile, whyNotUploaded } from './upload-file';

const options = importSources.map((value) => ({ value, label: sources[value].label, note: sources[value].summary }));

/** The first step: chooses and uploads a file. */
export function Upload({ imports, onRead }: { imports: readonly Import[]; onRead: (id: string) => void }) {
  const trpc = useTRPC();
  const [source, setSource] = useState<ImportSource>(importSources[0]);
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [part, setPart] = useState(0);
  const create = useMutation(trpc.imports.create.mutationOptions());
  const addPart = useMutation(trpc.imports.addPart.mutationOptions());
  const read = useMutation(trpc.imports.read.mutationOptions());
  const upload = useMutation({
    mutationFn: async (chosen: File) => {
      setPart(0);
      const calls = { create: create.mutateAsync, addPart: addPart.mutateAsync };
      const id = await uploadFile(calls, source, chosen, setPart);
      await read.mutateAsync({ id });
      return id;
    },
    onError: (error) => setProblem(error.message.startsWith('This file') ? error.message : readApiError(error).message),
    onSuccess: onRead,
  });

  const { help, command } = sourceOf(source);

  const choose = (chosen: File | undefined) => {
    if (!chosen) return;
    const why = whyNotUploaded(chosen);
    setProblem(why && `${chosen.name}: ${why}`);
    setFile(why ? null : chosen);
  };
  return (
    <div className="max-w-[760px]">
      <RadioGroup legend="Source" name="source" options={options} value={source} onValueChange={setSource} />
      <h2 className="mt-6 mb-2">File</h2>
      <p className="mb-3 text-muted">{help}</p>
      {command ? (
        <div className="mb-3 flex items-start gap-2 rounded-3 border bg-sunken p-3">
          <code className="min-w-0 grow font-mono text-small [overflow-wrap:anywhere]">{command}</code>
          <CopyButton text={command} label="Copy command" />
        </div>
      ) : null}
      <FileDrop source={source} file={file} onChoose={choose} disabled={upload.isPending} />
      {problem ? <FieldError>{problem}</FieldError> : null}
      {upload.isPending ? (
        <div className="mt-4 grid gap-2">
          <p role="status" className="text-muted">
            {part < 1 ? 'Uploading' : 'Reading the file'}
          </p>
          <Progress value={part} label="Upload" />
        </div>
      ) : null}
      <p className="mt-3 text-small text-muted">
        Nothing is created until you confirm the preview. The file is stored encrypted, and deleted after the import.
      </p>
      <div className="mt-6 flex gap-2">
        <Button
          variant="primary"
          disabled={file === null}
          busy={upload.isPending}
          onClick={() => {
            setProblem(null);
            if (file) upload.mutate(file);
          }}
        >
          Preview import
        </Button>
        <Button variant="ghost" asChild>
          <Link href="/monitors">Cancel</Link>
        </Button>
      </div>
      <Earlier imports={imports} />
    </div>
  );
}

function FileDrop({
  source,
  file,
  disabled,
  onChoose,
}: {
  source: ImportSource;
  file: File | null;
  disabled: boolean;
  onChoose: (file: File | undefined) => void;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  return (
    <label
      htmlFor={id}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        onChoose(event.dataTransfer.files[0]);
      }}
      className={cn(
        'grid cursor-pointer justify-items-center gap-1 rounded-3 border border-dashed border-strong bg-surface px-4 py-8 text-center hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-focus',
        isOver && 'border-accent bg-accent-subtle',
      )}
    >
      <span className="max-w-full font-medium [overflow-wrap:anywhere]">
        {file ? (
          file.name
        ) : (
          <>
            Drop a file here, or <span className={linkClass}>choose one</span>
          </>
        )}
      </span>
      <span className="text-small text-muted">Up to 100 MB</span>
      <input
        ref={input}
        id={id}
        type="file"
        aria-label="File"
        accept={sourceOf(source).files}
        disabled={disabled}
        className="sr-only"
        onChange={(event) => {
          onChoose(event.target.files?.[0]);
          // Allows the same file to be selected again after a change.
          event.target.value = '';
        }}
      />
    </label>
  );
}

const states: Record<Import['state'], string> = {
  uploading: 'Not uploaded',
  ready: 'Ready to import',
  running: 'Not finished',
  done: 'Imported',
  undoing: 'Undo not finished',
  undone: 'Undone',
};

/** The team's earlier imports, which can be continued or undone. */
function Earlier({ imports }: { imports: readonly Import[] }) {
  if (imports.length === 0) return null;
  return (
    <Section title="Earlier imports">
      <ul className="divide-y border-y">
        {imports.map(({ id, fileName, state, createdAt, authorName, counts }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
            <Link href={`/monitors/import?id=${id}`} className={cn(linkClass, 'min-w-0 [overflow-wrap:anywhere]')}>
              {fileName}
            </Link>
            <span className="grow text-muted">
              {states[state]}
              {counts.monitor.total > 0 ? `, ${counts.monitor.total} monitors` : ''}
            </span>
            <span className="text-small text-faint">
              {authorName}, <Timestamp at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
