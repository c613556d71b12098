'use client';

import { useState } from 'react';
import { Section } from '@/app/_components/page';
import { CopyButton } from '@/app/_components/ui/copy-button';
import { ToggleGroup } from '@/app/_components/ui/toggle-group';
import { type PingSchedule, pingExamples } from './ping-examples';

export interface PingUrlProps {
  url: string;
  schedule: PingSchedule;
}

/** A heartbeat's ping URL, with examples of jobs that ping it. */
export function PingUrl({ url, schedule }: PingUrlProps) {
  const examples = pingExamples(url, schedule);
  const [chosen, setChosen] = useState('curl');
  const code = examples.find(({ value }) => value === chosen)?.code ?? '';
  return (
    <Section title="Ping URL" note="send a request after each run">
      <div className="flex items-start gap-2 rounded-3 border bg-sunken p-3">
        <code className="min-w-0 grow font-mono text-small [overflow-wrap:anywhere]">{url}</code>
        <CopyButton text={url} label="Copy URL" />
      </div>
      <p className="mt-2 text-small text-muted">
        Use GET, HEAD or POST. Up to 10 KiB of a POST body is stored and shown here. Append{' '}
        <code className="font-mono">/start</code> when a run starts, and <code className="font-mono">/fail</code> or the
        exit code when it ends. Anyone with this URL can send pings.
      </p>
      <div className="mt-3 -mx-0.5 overflow-x-auto p-0.5 [scrollbar-width:none]">
        <ToggleGroup label="Example" options={examples} value={chosen} onValueChange={setChosen} />
      </div>
      <div className="mt-2 flex items-start gap-2 rounded-3 border bg-sunken p-3">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll it only while it has the focus. */}
        <pre tabIndex={0} className="min-w-0 grow overflow-x-auto font-mono text-small">
          {code}
        </pre>
        <CopyButton text={code} label="Copy example" />
      </div>
    </Section>
  );
}
