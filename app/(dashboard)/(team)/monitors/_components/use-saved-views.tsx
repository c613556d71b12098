'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '@/app/_components/toast/toast';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { Button } from '@/app/_components/ui/button';
import { DropdownMenu, DropdownMenuItem, DropdownMenuSeparator } from '@/app/_components/ui/dropdown-menu';
import { Icon } from '@/app/_components/ui/icon';
import { lazyPart } from '@/app/_components/ui/lazy-part';
import { type TabLink, TabLinks } from '@/app/_components/ui/tabs';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { SavedView } from '@/server/saved-views/schema';
import { type Filters, filtersOf, filtersToQuery, readFilters, viewQueryOf } from './filters';
import type { Change } from './use-filters';

// Loaded when it is opened for the first time.
const ViewDialog = lazyPart(() => import('./view-dialog').then((module) => module.ViewDialog));

interface Options {
  filters: Filters;
  setFilters: (filters: Filters, change?: Change) => void;
  /** What the server rendered. */
  initial: SavedView[] | undefined;
  canWrite: boolean;
}

/** The views that the team saved: their tabs, their dialogs, and the action that saves what the list shows. */
export function useSavedViews({ filters, setFilters, initial, canWrite }: Options) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const listed = useQuery(
    trpc.savedViews.list.queryOptions(undefined, initial ? { initialData: { savedViews: initial } } : {}),
  );
  const views = listed.data?.savedViews ?? [];
  const refresh = () => queryClient.invalidateQueries(trpc.savedViews.pathFilter());
  const updating = useMutation(
    trpc.savedViews.update.mutationOptions({
      onError: (error) => toast.error(readApiError(error).message),
      onSettled: refresh,
    }),
  );
  const deleting = useMutation(trpc.savedViews.delete.mutationOptions({ onSettled: refresh }));
  const [dialog, setDialog] = useState<'create' | 'rename' | 'delete' | null>(null);
  const close = () => setDialog(null);

  const current = views.find(({ id }) => id === filters.view);
  const query = viewQueryOf(filters);
  const isEdited = current !== undefined && viewQueryOf(filtersOf(current)) !== query;
  // Without parameters, the list would open with the default view.
  const everything = { ...readFilters(() => null), view: views.some(({ isDefault }) => isDefault) ? 'all' : '' };
  const tabOf = (to: Filters, label: React.ReactNode, isCurrent: boolean): TabLink => {
    const search = filtersToQuery(to);
    return {
      href: search ? `/monitors?${search}` : '/monitors',
      label,
      current: isCurrent || undefined,
      show: () => setFilters(to, 'push'),
    };
  };
  const tabs = [
    tabOf(everything, 'All', current === undefined),
    ...views.map((view) => {
      const edited = <span className="text-small font-normal text-faint">edited</span>;
      const isCurrent = view === current;
      return tabOf(
        filtersOf(view),
        isCurrent && isEdited ? (
          <>
            {view.name} {edited}
          </>
        ) : (
          view.name
        ),
        isCurrent,
      );
    }),
  ];

  function saveChanges(view: SavedView) {
    updating.mutate(
      { id: view.id, query, ifUpdatedAt: view.updatedAt },
      { onSuccess: () => toast(`Saved the view ${view.name}`) },
    );
  }
  function setDefault(view: SavedView, isDefault: boolean) {
    const done = isDefault ? `The list opens with ${view.name}` : 'The list opens with all monitors';
    updating.mutate({ id: view.id, isDefault }, { onSuccess: () => toast(done) });
  }

  const actions =
    canWrite && current ? (
      <DropdownMenu
        trigger={
          <Button variant="ghost" square aria-label={`Actions for the view ${current.name}`}>
            <Icon name="more" />
          </Button>
        }
      >
        <DropdownMenuItem icon="edit" onSelect={() => setDialog('rename')}>
          Rename…
        </DropdownMenuItem>
        <DropdownMenuItem icon="check" onSelect={() => setDefault(current, !current.isDefault)}>
          {current.isDefault ? 'Open the list with all monitors' : 'Open the list with this view'}
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuItem icon="trash" danger onSelect={() => setDialog('delete')}>
          Delete…
        </DropdownMenuItem>
      </DropdownMenu>
    ) : null;

  return {
    create: () => setDialog('create'),
    tabs:
      views.length > 0 ? (
        <div className="mb-4 flex flex-wrap items-center gap-x-2 border-b">
          <TabLinks label="Saved views" tabs={tabs} scroll={false} className="-mb-px min-w-0 grow border-b-0" />
          {isEdited ? (
            <>
              <Button size="small" variant="ghost" onClick={() => setFilters(filtersOf(current), 'push')}>
                Reset
              </Button>
              {canWrite ? (
                <Button size="small" busy={updating.isPending} onClick={() => saveChanges(current)}>
                  Save changes
                </Button>
              ) : null}
            </>
          ) : null}
          {actions}
        </div>
      ) : null,
    dialogs: (
      <>
        {dialog === 'create' ? (
          <ViewDialog
            query={query}
            onClose={close}
            onSaved={(view) => {
              void refresh();
              setFilters(filtersOf(view), 'push');
            }}
          />
        ) : null}
        {dialog === 'rename' && current ? (
          <ViewDialog query={query} view={current} onClose={close} onSaved={() => void refresh()} />
        ) : null}
        <AlertDialog
          open={dialog === 'delete' && current !== undefined}
          onClose={close}
          title={`Delete the view “${current?.name ?? ''}”?`}
          safe="Cancel"
          verb="Delete view"
          danger
          doing={deleting}
          onConfirm={() => {
            if (!current) return;
            const done = () => {
              toast(`Deleted the view ${current.name}`);
              close();
              setFilters({ ...everything, view: '' }, 'replace');
            };
            deleting.mutate({ id: current.id }, { onSuccess: done });
          }}
        >
          Nobody in your team has this tab any more. The monitors stay as they are.
        </AlertDialog>
      </>
    ),
  };
}
