'use client';

import { Command } from 'cmdk';
import { useRouter } from 'next/navigation';
import * as Dialog from 'radix-ui/dialog';
import { useState } from 'react';
import { cn } from '@/app/_components/cn';
import { formatCount } from '@/app/_components/format';
import { leave } from '@/app/_components/forms/use-leave-guard';
import { incidentState, incidentTitle, incidentWords } from '@/app/_components/incidents/incident-words';
import type { Destination } from '@/app/_components/shell/destinations';
import { Glyph } from '@/app/_components/status/glyph';
import { stateWords } from '@/app/_components/status/states';
import { Elapsed } from '@/app/_components/time/time';
import { overlayClass } from '@/app/_components/ui/dialog-parts';
import { Icon, type IconName } from '@/app/_components/ui/icon';
import { Kbd } from '@/app/_components/ui/kbd';
import { Kind } from '@/app/_components/ui/tag';
import { useOpener } from '@/app/_components/use-opener';
import { matches, readMode } from './match';
import { useActions, useCommands } from './use-actions';
import { useFound } from './use-found';

export interface PaletteProps {
  open: boolean;
  onClose: () => void;
  /** The pages that the person can open. */
  pages: readonly Destination[];
  hasTeam: boolean;
  canWrite: boolean;
  onShortcuts: () => void;
}

const itemClass =
  'flex min-h-11 cursor-pointer items-center gap-2.5 rounded-[5px] px-2 aria-selected:bg-active sm:min-h-[34px]';
const groupClass =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-small [&_[cmdk-group-heading]]:text-faint';

/** The command palette: monitors, incidents, actions, saved views, tags and pages. It fills the screen of a phone. */
export function Palette(props: PaletteProps) {
  const opener = useOpener();
  const commands = useCommands();
  const close = (isOpen: boolean) => !isOpen && props.onClose();
  return (
    <Dialog.Root open={props.open} onOpenChange={close}>
      <Dialog.Portal>
        <Dialog.Overlay className={overlayClass} />
        <Dialog.Content
          {...opener}
          aria-describedby={undefined}
          className="fixed inset-0 z-50 flex flex-col overflow-hidden bg-raised text-ink outline-none sm:inset-x-auto sm:top-[12dvh] sm:bottom-auto sm:left-1/2 sm:max-h-[70dvh] sm:w-[600px] sm:max-w-[calc(100vw-32px)] sm:-translate-x-1/2 sm:rounded-4 sm:border sm:shadow-3"
        >
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          <Commands {...props} commands={commands} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Commands({
  pages,
  hasTeam,
  canWrite,
  onClose,
  onShortcuts,
  commands,
}: PaletteProps & { commands: ReturnType<typeof useCommands> }) {
  const router = useRouter();
  const [text, setText] = useState('');
  const { mode, search } = readMode(text);
  const { monitors, incidents, views, tags, isReading, isFailed } = useFound(search, hasTeam);
  const [first] = monitors;
  const actions = useActions(commands, { canWrite, found: search === '' ? undefined : first });

  const run = (act: () => void) => {
    onClose();
    act();
  };
  const open = (href: string) => run(() => leave(() => router.push(href)));
  const shown = {
    monitors: mode === 'all' ? monitors : [],
    incidents: mode === 'all' ? incidents : [],
    actions: mode === 'tags' ? [] : actions.filter(({ label }) => matches(label, search)),
    views: mode === 'all' ? views.filter(({ name }) => matches(name, search)) : [],
    tags: mode === 'tags' || (mode === 'all' && search !== '') ? tags.filter(({ tag }) => matches(tag, search)) : [],
    pages: mode === 'all' ? pages.filter(({ label }) => matches(label, search)) : [],
    help: mode !== 'tags' && matches('Keyboard shortcuts help', search),
  };
  const isOfPage = shown.actions.filter(({ isOfPage: is }) => is);
  const others = shown.actions.filter(({ isOfPage: is }) => !is);

  return (
    <Command shouldFilter={false} loop label="Search and commands" className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center gap-2.5 border-b px-4">
        <Icon name="search" className="text-faint" />
        <Command.Input
          value={text}
          onValueChange={setText}
          maxLength={200}
          placeholder="Search monitors, actions and pages"
          className="h-12 min-w-0 flex-1 bg-transparent text-lead outline-none focus-visible:outline-none"
        />
        <button type="button" className="h-11 px-1 text-muted sm:hidden" onClick={onClose}>
          Cancel
        </button>
      </div>
      <Command.List label="Results" className="min-h-0 flex-1 overflow-y-auto p-1.5 sm:min-h-40">
        <Command.Empty className="px-2 py-6 text-center text-muted">
          {isFailed ? 'Could not search monitors.' : isReading ? 'Searching…' : 'Nothing found.'}
        </Command.Empty>
        <Actions heading="This page" actions={isOfPage} run={run} />
        {shown.monitors.length > 0 ? (
          <Command.Group heading="Monitors" className={groupClass}>
            {shown.monitors.map(({ id, name, type, status, statusSince }) => (
              <Command.Item
                key={id}
                value={`monitor ${id}`}
                onSelect={() => open(`/monitors/${id}`)}
                className={itemClass}
              >
                <Glyph state={status} />
                <span className="truncate">{name}</span>
                <Kind>{type}</Kind>
                <span className="grow" />
                <span
                  data-state={status}
                  className={cn('text-small whitespace-nowrap', status === 'up' ? 'text-muted' : 'text-s-fg')}
                >
                  {stateWords[status]} {status === 'pending' ? null : <Elapsed at={statusSince} />}
                </span>
              </Command.Item>
            ))}
          </Command.Group>
        ) : null}
        {shown.incidents.length > 0 ? (
          <Command.Group heading="Incidents" className={groupClass}>
            {shown.incidents.map((incident) => (
              <Command.Item
                key={incident.id}
                value={`incident ${incident.id}`}
                onSelect={() => open(`/incidents/${incident.id}`)}
                className={itemClass}
              >
                <Glyph state={incidentState(incident)} />
                <span className="truncate">{incidentTitle(incident, incident.monitorName)}</span>
                <span className="grow" />
                <span className="text-small whitespace-nowrap text-muted">{incidentWords[incident.status]}</span>
              </Command.Item>
            ))}
          </Command.Group>
        ) : null}
        <Actions heading="Actions" actions={others} run={run} />
        {shown.views.length > 0 ? (
          <Command.Group heading="Saved views" className={groupClass}>
            {shown.views.map(({ id, name, query }) => (
              <Line
                key={id}
                icon="monitors"
                value={`view ${id}`}
                onSelect={() => open(`/monitors?${new URLSearchParams([...new URLSearchParams(query), ['view', id]])}`)}
              >
                {name}
              </Line>
            ))}
          </Command.Group>
        ) : null}
        {shown.tags.length > 0 ? (
          <Command.Group heading="Tags" className={groupClass}>
            {shown.tags.slice(0, 8).map(({ tag, monitors: count }) => (
              <Line
                key={tag}
                icon="tag"
                value={`tag ${tag}`}
                onSelect={() => open(`/monitors?tag=${encodeURIComponent(tag)}`)}
                note={count === 1 ? '1 monitor' : `${formatCount(count)} monitors`}
              >
                {tag}
              </Line>
            ))}
          </Command.Group>
        ) : null}
        {shown.pages.length > 0 || shown.help ? (
          <Command.Group heading="Pages and help" className={groupClass}>
            {shown.pages.map(({ href, label, icon }) => (
              <Line key={href} icon={icon} value={`page ${href}`} onSelect={() => open(href)}>
                {label}
              </Line>
            ))}
            {shown.help ? (
              <Line icon="note" value="help" onSelect={() => run(onShortcuts)} note={<Kbd>?</Kbd>}>
                Keyboard shortcuts
              </Line>
            ) : null}
          </Command.Group>
        ) : null}
      </Command.List>
      <footer aria-hidden="true" className="flex gap-4 border-t px-4 py-2 text-small text-faint max-sm:hidden">
        <span>
          <Kbd>↑</Kbd> <Kbd>↓</Kbd> Move
        </span>
        <span>
          <Kbd>↵</Kbd> Open
        </span>
        <span className="grow" />
        <span>
          <Kbd>&gt;</Kbd> Actions
        </span>
        <span>
          <Kbd>#</Kbd> Tags
        </span>
      </footer>
    </Command>
  );
}

interface LineProps {
  icon: IconName;
  value: string;
  onSelect: () => void;
  note?: React.ReactNode;
  children: React.ReactNode;
}

function Line({ icon, value, onSelect, note, children }: LineProps) {
  return (
    <Command.Item value={value} onSelect={onSelect} className={itemClass}>
      <Icon name={icon} className="text-muted" />
      <span className="truncate">{children}</span>
      <span className="grow" />
      {note ? <span className="text-small whitespace-nowrap text-faint">{note}</span> : null}
    </Command.Item>
  );
}

function Actions({
  heading,
  actions,
  run,
}: {
  heading: string;
  actions: ReturnType<typeof useActions>;
  run: (act: () => void) => void;
}) {
  if (actions.length === 0) return null;
  return (
    <Command.Group heading={heading} className={groupClass}>
      {actions.map(({ icon, label, act, key }) => (
        <Line
          key={label}
          icon={icon}
          value={`action ${label}`}
          onSelect={() => run(act)}
          note={key && <Kbd>{key}</Kbd>}
        >
          {label}
        </Line>
      ))}
    </Command.Group>
  );
}
