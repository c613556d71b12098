'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useId, useRef, useState } from 'react';
import { cn } from '@/app/_components/cn';
import { linkClass, Section } from '@/app/_components/page';
import { Timestamp } from '@/app/_components/time/time';
import { Button } from '@/app/_components/ui/button';
import { CopyButton } from '@/app/_components/ui/copy-button';
import { FieldError } from '@/app/_components/ui/field';
import { RadioGroup } from '@/app/_components/ui/radio-group';
import { Textarea } from '@/app/_components/ui/textarea';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import {
  type Columns,
  csvFields,
  guessColumns,
  type Import,
  type ImportSource,
  importSources,
  sourceOf,
  sources,
} from '@/server/imports/schema';
import { ColumnChoice } from './column-choice';
import { readTable } from './read-table';
import { Progress } from './steps';
import { uploadFile, whyNotUploaded } from './upload-file';

const options = importSources.map((value) => ({ value, label: sources[value].label, note: sources[value].summary }));

/** Uploads a file in parts, has the server read it, and reports the part that is uploaded. */
function useUpload(onRead: (id: string) => void) {
  const trpc = useTRPC();
  const [part, setPart] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const create = useMutation(trpc.imports.create.mutationOptions());
  const addPart = useMutation(trpc.imports.addPart.mutationOptions());
  const read = useMutation(trpc.imports.read.mutationOptions());
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ source, file, columns }: { source: ImportSource; file: File; columns: Columns | null }) => {
      setPart(0);
      setProblem(null);
      const calls = { create: create.mutateAsync, addPart: addPart.mutateAsync };
      const id = await uploadFile(calls, source, file, setPart);
      await read.mutateAsync({ id, ...(columns && { columns }) });
      return id;
    },
    onError: (error) => setProblem(error.message.startsWith('This file') ? error.message : readApiError(error).message),
    onSuccess: onRead,
  });
  return { upload: mutate, isPending, part, problem, setProblem };
}

/** The columns of a file with a table: as their names tell, until the user chooses others. */
function useColumns(file: File | null) {
  const [chosen, setChosen] = useState<{ file: File; columns: Columns } | null>(null);
  const key = ['import-table', file?.name, file?.size, file?.lastModified];
  const { data: table } = useQuery({
    queryKey: key,
    queryFn: () => (file ? readTable(file) : null),
    enabled: file !== null,
    retry: false,
  });
  if (!file || !table) return null;
  const columns = chosen?.file === file ? chosen.columns : guessColumns(table.header);
  const complete = Object.fromEntries(csvFields.map((field) => [field, columns[field] ?? ''])) as Columns;
  return { table, columns: complete, choose: (next: Columns) => setChosen({ file, columns: next }) };
}

/** The first step: chooses and uploads a file. */
export function Upload({ imports, onRead }: { imports: readonly Import[]; onRead: (id: string) => void }) {
  const [source, setSource] = useState<ImportSource>(importSources[0]);
  const [file, setFile] = useState<File | null>(null);
  const [text, setText] = useState('');
  const { upload, isPending, part, problem, setProblem } = useUpload(onRead);
  const { help, command, hasColumns, typed } = sourceOf(source);
  const table = useColumns(hasColumns ? file : null);
  const isTyped = typed !== undefined && text.trim() !== '';
  const content = file ?? (isTyped ? new File([text], 'addresses.txt') : null);

  const choose = (chosen: File | undefined) => {
    if (!chosen) return;
    const why = whyNotUploaded(chosen);
    setProblem(why && `${chosen.name}: ${why}`);
    setFile(why ? null : chosen);
    setText('');
  };
  return (
    <div className="max-w-[760px]">
      <RadioGroup legend="Source" name="source" options={options} value={source} onValueChange={setSource} />
      <h2 className="mt-6 mb-2">{typed ?? 'File'}</h2>
      <p className="mb-3 text-muted">{help}</p>
      {command ? (
        <div className="mb-3 flex items-start gap-2 rounded-3 border bg-sunken p-3">
          <code className="min-w-0 grow font-mono text-small [overflow-wrap:anywhere]">{command}</code>
          <CopyButton text={command} label="Copy command" />
        </div>
      ) : null}
      {typed ? (
        <Textarea
          mono
          className="mb-3"
          rows={6}
          aria-label={typed}
          placeholder={'https://northwind.example\nhttps://northwind.example/login'}
          value={text}
          disabled={isPending}
          onChange={(event) => {
            setText(event.target.value);
            setFile(null);
          }}
        />
      ) : null}
      <FileDrop source={source} file={file} onChoose={choose} disabled={isPending} />
      {problem ? <FieldError>{problem}</FieldError> : null}
      {table ? <ColumnChoice table={table.table} columns={table.columns} onChange={table.choose} /> : null}
      {isPending ? (
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
          disabled={content === null}
          busy={isPending}
          onClick={() => {
            if (content) upload({ source, file: content, columns: table?.columns ?? null });
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
