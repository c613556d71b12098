'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useEdit } from '@/app/_components/forms/use-edit';
import { ManagedByGit } from '@/app/_components/managed-by-git';
import { NotLoaded } from '@/app/_components/not-loaded';
import { DetailList, PageHead, Section } from '@/app/_components/page';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { CopyButton } from '@/app/_components/ui/copy-button';
import { Icon } from '@/app/_components/ui/icon';
import { useTitle } from '@/app/_components/use-title';
import { useTRPC } from '@/app/_trpc/client';
import type { StatusPage, StatusPageEditor, StatusPageFields } from '@/server/status-pages/schema';
import { ComponentDialogs, type ComponentTask } from './component-dialogs';
import { DeleteStatusPage } from './delete-status-page';
import { LogoField } from './logo-field';
import { StatusPageForm } from './status-page-form';
import { statusPageTitle } from './titles';

export interface StatusPageViewProps {
  id: string;
  initial: StatusPageEditor | undefined;
  canWrite: boolean;
}

/** A status page's editor; viewers see its details. */
export function StatusPageView({ id, initial, canWrite }: StatusPageViewProps) {
  const trpc = useTRPC();
  // Keeps the page from being loaded again while it is deleted.
  const [isDeleting, setDeleting] = useState(false);
  const query = useQuery(
    trpc.statusPages.editor.queryOptions({ id }, { enabled: !isDeleting, ...(initial && { initialData: initial }) }),
  );
  const found = query.data;
  useTitle(statusPageTitle(found?.statusPage.title));
  if (!found) return <NotLoaded query={query} noun="status page" />;
  const { statusPage, monitors, components, logo } = found;
  return (
    <>
      <PageHead title={statusPage.title} note={statusPage.isPublic ? 'Public' : 'Private'}>
        <ManagedByGit externalId={statusPage.externalId} />
        {statusPage.isPublic ? <OpenPage page={statusPage} /> : null}
        {canWrite ? <DeleteStatusPage page={statusPage} onDeleting={setDeleting} /> : null}
      </PageHead>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8 xl:grid-cols-[minmax(0,560px)_minmax(0,1fr)] xl:gap-10">
        {canWrite ? <EditStatusPage key={statusPage.id} found={found} /> : null}
        <div className="min-w-0">
          {canWrite ? <LogoField id={statusPage.id} logo={logo} /> : null}
          <Section title="Public links">
            <DetailList
              facts={[
                ['Page', <Address key="page" url={statusPage.url} />],
                ['Atom feed', <Address key="atom" url={`${statusPage.url}/feed.atom`} />],
                ['RSS feed', <Address key="rss" url={`${statusPage.url}/feed.rss`} />],
                ['Maintenance calendar', <Address key="ics" url={`${statusPage.url}/maintenance.ics`} />],
                ['Badge', <Address key="badge" url={`${statusPage.url}/badge.svg`} />],
                ['JSON', <Address key="json" url={`${statusPage.url}/api/v2/summary.json`} />],
                ['Monitors', canWrite ? null : monitors.map(({ name }) => name).join(', ') || 'None'],
                ['Components', canWrite ? null : components.map(({ name }) => name).join(', ') || 'None'],
              ]}
            />
          </Section>
        </div>
      </div>
    </>
  );
}

function Address({ url }: { url: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <span className="min-w-0 font-mono text-small [overflow-wrap:anywhere]">{url}</span>
      <CopyButton text={url} label={`Copy ${url}`} />
    </span>
  );
}

function OpenPage({ page }: { page: StatusPage }) {
  return (
    <Button asChild>
      <a href={`/status/${page.slug}`} target="_blank" rel="noreferrer">
        <Icon name="share" />
        Open page
      </a>
    </Button>
  );
}

function EditStatusPage({ found: { statusPage, monitors, components } }: { found: StatusPageEditor }) {
  const [task, setTask] = useState<ComponentTask | null>(null);
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const updating = useMutation(trpc.statusPages.update.mutationOptions());
  const { base, key, conflict, onSave, ...edit } = useEdit({
    latest: statusPage,
    save: async (input: StatusPageFields, ifUpdatedAt) =>
      (await updating.mutateAsync({ id: statusPage.id, ...input, ifUpdatedAt })).statusPage,
    read: async () => {
      const options = trpc.statusPages.editor.queryOptions({ id: statusPage.id }, { staleTime: 0 });
      return (await queryClient.fetchQuery(options)).statusPage;
    },
    onSaved: ({ title }) => {
      toast(`Saved ${title}`);
      void queryClient.invalidateQueries(trpc.statusPages.pathFilter());
    },
  });
  return (
    <>
      <StatusPageForm
        key={key}
        page={base}
        edit={edit}
        monitors={monitors}
        components={components}
        onComponent={setTask}
        onSave={onSave}
      />
      {conflict}
      <ComponentDialogs statusPageId={statusPage.id} task={task} onClose={() => setTask(null)} />
    </>
  );
}
