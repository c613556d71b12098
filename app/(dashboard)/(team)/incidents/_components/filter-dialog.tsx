'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FindComponent } from '@/app/_components/find-component';
import { FindMember } from '@/app/_components/find-member';
import { FindOptions } from '@/app/_components/find-options';
import { FindMonitor } from '@/app/_components/monitors/find-monitor';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import { type Filters, NO_ASSIGNEE } from './filters';

/** The filters whose value is searched for. */
export type Chosen = 'assigneeId' | 'monitorId' | 'componentId' | 'tag';

const titles: Record<Chosen, string> = {
  assigneeId: 'Show incidents of an assignee',
  monitorId: 'Show incidents of a monitor',
  componentId: 'Show incidents of a component',
  tag: 'Show incidents of a tag',
};

interface FilterDialogProps {
  /** The filter that is being chosen; null closes the dialog. */
  choosing: Chosen | null;
  onChange: (filters: Partial<Filters>) => void;
  onClose: () => void;
}

/** The dialog in which the value of a filter is searched for. */
export function FilterDialog({ choosing, onChange, onClose }: FilterDialogProps) {
  return (
    <Dialog
      open={choosing !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={choosing && titles[choosing]}
    >
      {choosing ? (
        <Finder
          choosing={choosing}
          onChoose={(value) => {
            onChange({ [choosing]: value });
            onClose();
          }}
        />
      ) : null}
    </Dialog>
  );
}

interface FinderProps {
  choosing: Chosen;
  onChoose: (value: string) => void;
}

function Finder({ choosing, onChoose }: FinderProps) {
  switch (choosing) {
    case 'assigneeId':
      return (
        <div className="grid gap-3">
          <FindMember label="Assignee" verb="Show" autoFocus error={undefined} onChoose={onChoose} />
          <Button className="justify-self-start" onClick={() => onChoose(NO_ASSIGNEE)}>
            Unassigned
          </Button>
        </div>
      );
    case 'monitorId':
      return (
        <FindMonitor
          label="Monitor"
          verb="Show"
          listLabel="Available monitors"
          autoFocus
          onChoose={({ id }) => onChoose(id)}
        />
      );
    case 'componentId':
      return <FindComponent label="Component" verb="Show" autoFocus onChoose={onChoose} />;
    case 'tag':
      return <FindTag onChoose={onChoose} />;
  }
}

/** The number of tags shown at once; search finds the others. */
const offered = 8;

function FindTag({ onChoose }: { onChoose: (tag: string) => void }) {
  const trpc = useTRPC();
  const [text, setText] = useState('');
  const query = useQuery(trpc.monitors.tags.queryOptions());
  const search = text.trim().toLowerCase();
  const found = (query.data?.tags ?? []).filter(({ tag }) => tag.includes(search));
  const nothing = query.data && found.length === 0 ? 'No tags of monitors match.' : null;
  return (
    <FindOptions
      label="Tag"
      verb="Show"
      listLabel="Tags"
      placeholder="Search by name"
      autoFocus
      optional={false}
      text={text}
      onTextChange={setText}
      options={found.slice(0, offered).map(({ tag, monitors }) => {
        return { id: tag, name: tag, status: null, detail: monitors === 1 ? '1 monitor' : `${monitors} monitors` };
      })}
      note={found.length > offered ? 'More tags are available. Search to find them.' : nothing}
      failure={query.isError && !query.data ? readApiError(query.error).message : null}
      onChoose={onChoose}
    />
  );
}
