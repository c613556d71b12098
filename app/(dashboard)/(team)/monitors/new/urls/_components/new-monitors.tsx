'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { TagInput } from '@/app/_components/forms/tag-input';
import { useUnsaved } from '@/app/_components/forms/use-unsaved';
import { toast } from '@/app/_components/toast/toast';
import { Alert } from '@/app/_components/ui/alert';
import { Button } from '@/app/_components/ui/button';
import { Field, FieldError } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Textarea } from '@/app/_components/ui/textarea';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import { countWords } from '../../../_components/count-words';
import { LONGEST_LIST, MOST_URLS, readUrls, type UrlList } from './read-urls';

/** A monitor of the preview. */
interface Draft {
  url: string;
  name: string;
  /** The monitor that checks this address already. */
  existing: string | null;
  /** Why the server refused it. */
  refused: string | null;
}

/** What the list says after its existing monitors were looked up. */
interface Preview {
  drafts: Draft[];
  skipped: UrlList['skipped'];
}

/** An address as lists show it. */
function shown(url: string): string {
  const { host, pathname } = new URL(url);
  return host + (pathname === '/' ? '' : pathname);
}

/** Creates an http monitor for each URL of a list, after a preview with suggested names. */
export function NewMonitors() {
  const form = useForm<{ text: string; tags: string[] }>({ defaultValues: { text: '', tags: [] } });
  const unsaved = useUnsaved(form);
  const { text, tags } = form.watch();
  const [fault, setFault] = useState<string>();
  const [preview, setPreview] = useState<Preview | null>(null);
  const [isLooking, setLooking] = useState(false);
  const trpc = useTRPC();
  const queryClient = useQueryClient();

  async function existingOf(url: string): Promise<string | null> {
    // Lists show no query, so that monitors with another one would look the same.
    if (new URL(url).search !== '') return null;
    const target = shown(url);
    const options = trpc.monitors.find.queryOptions({ search: target.slice(0, 200) }, { staleTime: 0 });
    const { monitors } = await queryClient.fetchQuery(options);
    return monitors.find((each) => each.type === 'http' && each.target === target)?.name ?? null;
  }
  async function look() {
    const list = readUrls(text);
    if ('fault' in list) {
      setFault(list.fault);
      return;
    }
    setLooking(true);
    try {
      const existing = await Promise.all(list.monitors.map(({ url }) => existingOf(url)));
      const drafts = list.monitors.map((each, at) => ({ ...each, existing: existing[at] ?? null, refused: null }));
      setPreview({ drafts, skipped: list.skipped });
    } catch (error) {
      setFault(readApiError(error).message);
    } finally {
      setLooking(false);
    }
  }

  if (preview)
    return (
      <>
        {unsaved}
        <PreviewForm preview={preview} tags={tags} onChange={setPreview} onBack={() => setPreview(null)} />
      </>
    );
  return (
    <form
      aria-label="New monitors"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isLooking) void look();
      }}
      className="grid max-w-[640px] gap-4"
    >
      {unsaved}
      <Field
        label="URLs"
        error={fault}
        help={`One on each line, at most ${MOST_URLS}. Each becomes an HTTP monitor with the default settings.`}
      >
        <Textarea
          mono
          rows={10}
          maxLength={LONGEST_LIST + 1}
          placeholder={'https://northwind.example\nhttps://northwind.example/health'}
          value={text}
          onChange={(event) => {
            form.setValue('text', event.target.value, { shouldDirty: true });
            setFault(undefined);
          }}
        />
      </Field>
      <Field label="Tags" optional help="For all of them.">
        <TagInput value={tags} onValueChange={(values) => form.setValue('tags', values, { shouldDirty: true })} />
      </Field>
      <div className="flex gap-2 border-t pt-5">
        <Button type="submit" variant="primary" busy={isLooking}>
          Preview
        </Button>
        <Button asChild variant="ghost">
          <Link href="/monitors/new">Discard</Link>
        </Button>
      </div>
    </form>
  );
}

interface PreviewFormProps {
  preview: Preview;
  tags: string[];
  onChange: (preview: Preview) => void;
  onBack: () => void;
}

/** The codes of errors that every further monitor would get too. */
const forAll = ['PLAN_LIMIT_REACHED', 'UNREACHABLE', 'UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED', 'UNAVAILABLE'];

/** The monitors that will be created, whose names can be changed, and the lines that are skipped. */
function PreviewForm({ preview, tags, onChange, onBack }: PreviewFormProps) {
  const { drafts, skipped } = preview;
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const creating = useMutation(trpc.monitors.create.mutationOptions());
  const [done, setDone] = useState<number | null>(null);
  const wanted = drafts.filter(({ existing }) => existing === null);

  /** One after the other, so that a refused one does not affect the others. */
  async function create() {
    const refused = new Map<string, string>();
    let created = 0;
    let stop: string | null = null;
    for (const { url, name } of wanted) {
      setDone(created);
      try {
        if (stop === null) {
          await creating.mutateAsync({ type: 'http', name: name.trim(), config: { url }, tags });
          created += 1;
        } else refused.set(url, stop);
      } catch (error) {
        const { code, message, issues } = readApiError(error);
        if (forAll.includes(code)) stop = message;
        refused.set(url, issues?.[0]?.message ?? message);
      }
    }
    setDone(null);
    void queryClient.invalidateQueries(trpc.monitors.pathFilter());
    if (created > 0) toast(`Created ${countWords(created)}`);
    if (refused.size === 0) router.push('/monitors');
    else {
      const left = drafts.filter(({ url }) => refused.has(url));
      onChange({ drafts: left.map((draft) => ({ ...draft, refused: refused.get(draft.url) ?? null })), skipped: [] });
    }
  }

  return (
    <form
      aria-label="Preview"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (done === null && wanted.length > 0) void create();
      }}
      className="grid max-w-[760px] gap-4"
    >
      {skipped.length > 0 ? (
        <Alert
          state="unknown"
          role="status"
          title={`${skipped.length === 1 ? '1 line is' : `${skipped.length} lines are`} skipped`}
        >
          <ul className="grid gap-0.5">
            {skipped.map(({ text, reason }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change, and can be equal
              <li key={at}>
                <span className="font-mono text-small">{text.slice(0, 200)}</span>: {reason}
              </li>
            ))}
          </ul>
        </Alert>
      ) : null}
      <ul aria-label="Monitors" className="grid divide-y border-y">
        {drafts.map((draft) => (
          <DraftRow
            key={draft.url}
            draft={draft}
            onName={(name) =>
              onChange({ ...preview, drafts: drafts.map((each) => (each === draft ? { ...each, name } : each)) })
            }
          />
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        {wanted.length > 0 ? (
          <Button type="submit" variant="primary" busy={done !== null}>
            {done === null ? `Create ${countWords(wanted.length)}` : `Created ${done} of ${wanted.length}`}
          </Button>
        ) : null}
        <Button onClick={onBack} disabled={done !== null}>
          Change the list
        </Button>
      </div>
    </form>
  );
}

function DraftRow({ draft, onName }: { draft: Draft; onName: (name: string) => void }) {
  const { url, name, existing, refused } = draft;
  const errorId = useId();
  return (
    <li className="grid gap-x-4 gap-y-1 py-2.5 sm:grid-cols-[minmax(0,260px)_minmax(0,1fr)] sm:items-center">
      {existing === null ? (
        <Input
          aria-label={`Name of ${url}`}
          {...(refused !== null && { 'aria-invalid': true, 'aria-describedby': errorId })}
          autoComplete="off"
          maxLength={120}
          value={name}
          onChange={(event) => onName(event.target.value)}
        />
      ) : (
        <span className="text-muted">Skipped: {existing} checks it already</span>
      )}
      <span className="min-w-0 font-mono text-small [overflow-wrap:anywhere] text-muted">{url}</span>
      {refused === null ? null : (
        <div className="sm:col-span-2">
          <FieldError id={errorId}>{refused}</FieldError>
        </div>
      )}
    </li>
  );
}
