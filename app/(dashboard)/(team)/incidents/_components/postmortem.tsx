'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { FailedQuery } from '@/app/_components/failed-query';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { lazyResolver } from '@/app/_components/forms/lazy-resolver';
import { useEdit } from '@/app/_components/forms/use-edit';
import { type EditedVersion, useUnsaved } from '@/app/_components/forms/use-unsaved';
import { Markdown } from '@/app/_components/markdown';
import { Section } from '@/app/_components/page';
import { Timestamp } from '@/app/_components/time/time';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { Empty } from '@/app/_components/ui/empty';
import { Field } from '@/app/_components/ui/field';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { Textarea } from '@/app/_components/ui/textarea';
import { ToggleGroup } from '@/app/_components/ui/toggle-group';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError, toFieldErrors } from '@/app/_trpc/errors';
import type { Postmortem } from '@/server/incidents/schema';
import { DeletePostmortem } from './delete-postmortem';

/** Stands for a missing postmortem, so that the editor has a version to edit. */
const NONE: Postmortem = {
  body: '',
  html: null,
  isPublished: false,
  authorName: '',
  publishedAt: null,
  updatedAt: new Date(0).toISOString(),
};

const modes = [
  { value: 'write', label: 'Write' },
  { value: 'preview', label: 'Preview' },
] as const;

/** Shows a postmortem; with write access, edits it. */
export function PostmortemTab({ incidentId, canWrite }: { incidentId: string; canWrite: boolean }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.incidents.postmortem.queryOptions({ id: incidentId }));
  // Remounts the editor after a deletion, because it only follows newer versions.
  const [deletions, setDeletions] = useState(0);
  if (query.isPending) return <RowsLoading label="Loading postmortem" />;
  if (!query.data) return <FailedQuery query={query} title="Could not load the postmortem" />;
  const { postmortem } = query.data;
  if (canWrite) {
    return (
      <Editor
        key={deletions}
        incidentId={incidentId}
        latest={postmortem ?? NONE}
        onDeleted={() => setDeletions((count) => count + 1)}
      />
    );
  }
  if (!postmortem) {
    return <Empty title="No postmortem">The postmortem appears here once your team publishes it.</Empty>;
  }
  return (
    <Section title="Postmortem" note={<Saved postmortem={postmortem} />}>
      <Markdown text={postmortem.body} html={postmortem.html} />
    </Section>
  );
}

function Saved({ postmortem: { isPublished, authorName, updatedAt } }: { postmortem: Postmortem }) {
  if (updatedAt === NONE.updatedAt) return 'Not written yet';
  return (
    <>
      {isPublished ? 'Published' : 'Draft'}, saved by {authorName} <Timestamp at={updatedAt} />
    </>
  );
}

function Preview({ body }: { body: string }) {
  const preview = useMutation(useTRPC().incidents.previewPostmortem.mutationOptions());
  const { mutate } = preview;
  useEffect(() => mutate({ body }), [mutate, body]);
  if (preview.error) {
    const { issues = [], message } = readApiError(preview.error);
    return <FormProblem>{issues[0]?.message ?? message}</FormProblem>;
  }
  if (!preview.data) return <RowsLoading label="Loading preview" />;
  return <Markdown text={body} html={preview.data.html} />;
}

interface Text {
  body: string;
  isPublished: boolean;
}

interface EditorProps {
  incidentId: string;
  latest: Postmortem;
  onDeleted: () => void;
}

function Editor({ incidentId, latest, onDeleted }: EditorProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const saving = useMutation(trpc.incidents.putPostmortem.mutationOptions());
  const { queryKey, ...options } = trpc.incidents.postmortem.queryOptions({ id: incidentId }, { staleTime: 0 });
  const edit = useEdit<Postmortem, Text>({
    latest,
    save: async (text, ifUpdatedAt) => (await saving.mutateAsync({ id: incidentId, ...text, ifUpdatedAt })).postmortem,
    read: async () => (await queryClient.fetchQuery({ queryKey, ...options })).postmortem ?? NONE,
    onSaved: (postmortem) => {
      queryClient.setQueryData(queryKey, { postmortem });
      void queryClient.invalidateQueries(trpc.incidents.detail.pathFilter());
      toast(postmortem.isPublished ? 'Published to your team' : 'Draft saved');
    },
  });
  return (
    <Section title="Postmortem" note={<Saved postmortem={latest} />}>
      <EditorForm
        key={edit.key}
        incidentId={incidentId}
        base={edit.base}
        edit={edit}
        onSave={edit.onSave}
        onDeleted={onDeleted}
      />
      {edit.conflict}
    </Section>
  );
}

function EditorForm({
  incidentId,
  base,
  edit,
  onSave,
  onDeleted,
}: {
  incidentId: string;
  base: Postmortem;
  edit: EditedVersion;
  onSave: (text: Text) => Promise<void>;
  onDeleted: () => void;
}) {
  const [mode, setMode] = useState<'write' | 'preview'>('write');
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    resolver: lazyResolver(async () => (await import('@/server/incidents/schema')).PutPostmortemInput),
    defaultValues: { id: incidentId, body: base.body, isPublished: base.isPublished },
  });
  const unsaved = useUnsaved(form, { edit, part: 'postmortem' });
  const { errors, isSubmitting } = form.formState;
  const body = useWatch({ control: form.control, name: 'body' });
  const send = (isPublished: boolean) =>
    form.handleSubmit(async ({ body: text }) => {
      setFailure(null);
      try {
        await onSave({ body: text, isPublished });
      } catch (error) {
        setFailure(toFieldErrors(error, form.setError, ['body']));
      }
    });
  return (
    <form
      aria-label="Postmortem"
      noValidate
      onSubmit={send(base.isPublished)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void send(base.isPublished)();
      }}
      className="grid gap-3"
    >
      {unsaved}
      <div>
        <ToggleGroup label="Mode" options={modes} value={mode} onValueChange={setMode} />
      </div>
      {mode === 'write' ? (
        <Field
          label="Text"
          error={errors.body?.message}
          help="Markdown. Describe what happened, who was affected, why, and what you will change."
        >
          <Textarea rows={18} mono {...form.register('body')} />
        </Field>
      ) : (
        <div className="min-h-40 rounded-3 border bg-surface p-4">
          {body.trim() ? <Preview body={body} /> : <p className="text-muted">Nothing to preview yet.</p>}
        </div>
      )}
      <FormProblem>{failure ?? (mode === 'preview' ? errors.body?.message : null) ?? null}</FormProblem>
      <div className="flex flex-wrap items-center gap-2">
        {base.isPublished ? (
          <>
            <Button type="submit" variant="primary" busy={isSubmitting}>
              Save changes
            </Button>
            <Button disabled={isSubmitting} onClick={send(false)}>
              Unpublish
            </Button>
          </>
        ) : (
          <>
            <Button type="submit" busy={isSubmitting}>
              Save draft
            </Button>
            <Button variant="primary" disabled={isSubmitting} onClick={send(true)}>
              Publish to team
            </Button>
          </>
        )}
        {base.updatedAt === NONE.updatedAt ? null : <DeletePostmortem incidentId={incidentId} onDeleted={onDeleted} />}
      </div>
    </form>
  );
}
