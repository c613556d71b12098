'use client';

import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { channelKinds } from '@/app/_components/channels';
import { Bars } from '@/app/_components/charts/strip';
import { cn } from '@/app/_components/cn';
import { linkClass } from '@/app/_components/page';
import { Button } from '@/app/_components/ui/button';
import { FieldError } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Skeleton } from '@/app/_components/ui/skeleton';
import { StatGrid } from '@/app/_components/ui/stat-grid';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import { CreateMonitorInput, completeAddress, suggestName } from '@/server/monitor-types/schema';

const steps = [
  {
    title: 'Create a monitor',
    text: 'The first check takes about a second. A monitor is down after three failing checks within 20 s, so a single lost packet does not alert anyone.',
  },
  {
    title: 'Choose who gets alerted',
    text: `Get alerts by ${channelKinds}. Send a test message and see the response.`,
  },
  {
    title: 'Publish a status page',
    text: 'Show your customers the current status, incidents and 90 days of uptime history.',
  },
];

/** Empty state of the monitors list: one field that creates the first monitor. */
export function FirstMonitor({ canWrite }: { canWrite: boolean }) {
  return (
    <div className="mx-auto max-w-[760px] pt-6 md:pt-12">
      <h1 className="text-display tracking-display">No monitors yet</h1>
      {canWrite ? (
        <>
          <FirstForm />
          <p className="mt-3 text-muted">
            Or{' '}
            <Link href="/monitors/import" className={linkClass}>
              import monitors
            </Link>{' '}
            from another tool.
          </p>
        </>
      ) : (
        <p className="mt-2 text-lead text-muted">A team member with edit access can create the first monitor.</p>
      )}
      <StatGrid as="ol" className="mt-8 md:grid-cols-3">
        {steps.map(({ title, text }, index) => (
          <li key={title} className={cn('grid content-start gap-1.5 p-4!', index > 0 && 'bg-canvas!')}>
            <span className="font-mono text-small font-medium text-faint">{index + 1}</span>
            <h2>{title}</h2>
            <p className="text-muted">{text}</p>
          </li>
        ))}
      </StatGrid>
      <Ghosts />
    </div>
  );
}

function FirstForm() {
  const trpc = useTRPC();
  const router = useRouter();
  const id = useId();
  const [address, setAddress] = useState('');
  const [error, setError] = useState<string | null>(null);
  const creating = useMutation(
    trpc.monitors.create.mutationOptions({
      onSuccess: ({ monitor }) => router.push(`/monitors/${monitor.id}`),
      onError: (failure) => {
        const { issues, message } = readApiError(failure);
        setError(issues?.[0]?.message ?? message);
      },
    }),
  );
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (creating.isPending) return;
    const url = completeAddress(address);
    const input = CreateMonitorInput.safeParse({
      type: 'http',
      name: suggestName(url) || 'First monitor',
      config: { url },
    });
    if (!input.success) {
      setError(address.trim() === '' ? 'Enter a URL.' : (input.error.issues[0]?.message ?? 'Enter a valid URL.'));
      document.getElementById(id)?.focus();
      return;
    }
    setError(null);
    creating.mutate(input.data);
  };
  return (
    <>
      <p className="mt-2 max-w-[56ch] text-lead text-muted">
        Enter a URL. Upwatch checks it right away, shows the result, and keeps checking it every minute.
      </p>
      <form aria-label="First monitor" noValidate onSubmit={submit} className="mt-5 flex gap-2 max-sm:flex-col">
        <label htmlFor={id} className="sr-only">
          URL
        </label>
        <Input
          id={id}
          mono
          inputMode="url"
          placeholder="https://northwind.example"
          value={address}
          onChange={(event) => setAddress(event.target.value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          className="h-11 text-lead sm:h-11 sm:text-lead"
        />
        <Button type="submit" variant="primary" size="large" busy={creating.isPending} className="h-11 max-sm:w-full">
          Start monitoring
        </Button>
      </form>
      {error ? (
        <div className="mt-1.5">
          <FieldError id={`${id}-error`}>{error}</FieldError>
        </div>
      ) : null}
      <p className="mt-2.5 text-muted">
        Not a website?{' '}
        <Link className={linkClass} href="/monitors/new?type=tcp">
          Monitor a port, a certificate, a DNS record or a cron job
        </Link>
        .
      </p>
    </>
  );
}

const ghostWidths = ['w-[124px]', 'w-[88px]', 'w-[156px]', 'w-[104px]'];
const noTicks = Array<null>(48).fill(null);

/** A faded placeholder of the list. */
function Ghosts() {
  return (
    <div aria-hidden="true" className="mt-10 [mask-image:linear-gradient(black,transparent)]">
      {ghostWidths.map((width) => (
        <div key={width} className="flex h-11 items-center gap-3.5 border-b px-3.5">
          <Skeleton round />
          <Skeleton className={width} />
          <span className="grow" />
          <Bars ticks={noTicks} label="" height={20} pitch={4} width={3} className="h-5 w-36" />
          <Skeleton className="w-[52px] max-lg:hidden" />
        </div>
      ))}
    </div>
  );
}
