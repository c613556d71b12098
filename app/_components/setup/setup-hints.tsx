'use client';

import Link from 'next/link';
import { formatCount } from '@/app/_components/format';
import { linkClass } from '@/app/_components/page';
import { useUnresolvedIncidents } from '@/app/_components/shell/unresolved-incidents';
import { Alert } from '@/app/_components/ui/alert';
import { Icon } from '@/app/_components/ui/icon';
import { isComplete, type Setup } from './setup';
import { useSetup } from './use-setup';

export interface SetupHintsProps {
  /** As the server found it; undefined if it could not be read. */
  initial: Setup | undefined;
  canWrite: boolean;
  /** Whether the steps that are left are listed, beside the warning. */
  hasSteps: boolean;
}

/** A warning while incidents are unresolved and nobody is notified, and the steps that are left to set up Upwatch. */
export function SetupHints({ initial, canWrite, hasSteps }: SetupHintsProps) {
  const setup = useSetup(initial);
  const unresolved = useUnresolvedIncidents();
  if (!setup || isComplete(setup)) return null;
  const incidents = unresolved === 1 ? '1 incident is' : `${formatCount(unresolved)} incidents are`;
  return (
    <>
      {setup.isNotified || unresolved === 0 ? null : (
        <Alert state="down" title={`${incidents} unresolved and nobody is notified`} className="mb-4">
          {setup.hasChannel
            ? 'No channel of the team has a confirmed address, and there is no escalation policy.'
            : 'The team has no channel and no escalation policy.'}{' '}
          {canWrite ? (
            <Link href={setup.hasChannel ? '/channels' : '/channels/new'} className={linkClass}>
              {setup.hasChannel ? 'View channels' : 'Add channel'}
            </Link>
          ) : null}
        </Alert>
      )}
      {hasSteps && canWrite ? <SetupSteps setup={setup} /> : null}
    </>
  );
}

function SetupSteps({ setup: { hasChannel, hasStatusPage, isNotified } }: { setup: Setup }) {
  const steps = [
    { title: 'Create a monitor', href: '/monitors/new', isDone: true },
    hasChannel && !isNotified
      ? { title: 'Confirm the address of a channel', href: '/channels', isDone: false }
      : { title: 'Choose who gets alerted', href: '/channels/new', isDone: isNotified },
    { title: 'Create a status page', href: '/status-pages/new', isDone: hasStatusPage },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <section
      aria-label="Set up Upwatch"
      className="mb-4 flex flex-wrap items-center gap-x-5 gap-y-1.5 rounded-3 border px-3 py-2.5"
    >
      <h2 className="text-base">
        Set up Upwatch{' '}
        <span className="num text-small font-normal text-faint">
          {done} of {steps.length}
        </span>
      </h2>
      <ol className="flex flex-wrap gap-x-5 gap-y-1.5 max-sm:grid max-sm:w-full">
        {steps.map(({ title, href, isDone }) => (
          <li key={title} className="flex items-center gap-1.5">
            {isDone ? (
              <>
                <span data-state="up" className="text-s-solid">
                  <Icon name="check" small />
                </span>
                <span className="text-faint line-through">{title}</span>
                <span className="sr-only">, done</span>
              </>
            ) : (
              <>
                <span aria-hidden="true" className="size-3 rounded-full border border-strong" />
                <Link href={href} className={linkClass}>
                  {title}
                </Link>
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
