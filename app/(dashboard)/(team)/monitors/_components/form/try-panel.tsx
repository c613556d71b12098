'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { AttemptDetails } from '@/app/_components/evidence/attempt-details';
import { formatMs } from '@/app/_components/format';
import { StateLabel } from '@/app/_components/status/state-label';
import { toast } from '@/app/_components/toast/toast';
import { Alert } from '@/app/_components/ui/alert';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';
import type { CheckAttempt } from '@/server/incidents/schema';
import { isPassive, type TestMonitorInput } from '@/server/monitor-types/schema';
import { errorPaths, fieldOf } from './form-schema';
import { JsonView } from './json-view';
import type { MonitorFields } from './monitor-fields';
import { toInput } from './monitor-fields';
import { writeRuleValue } from './rule-value';

export interface TryPanelProps {
  /** The monitor that is edited: its stored secrets are used where they are unchanged. */
  monitorId: string | undefined;
  stored: Record<string, unknown> | undefined;
  /** Shows the section of these fields, if it is collapsed. */
  onFaults: (fields: string[]) => void;
}

/** Runs a check with the settings of the form, without saving them, and shows what it saw. */
export function TryPanel({ monitorId, stored, onFaults }: TryPanelProps) {
  const trpc = useTRPC();
  const form = useFormContext<MonitorFields>();
  const type = useWatch<MonitorFields, 'type'>({ name: 'type' });
  const [failure, setFailure] = useState<string | null>(null);
  const [seen, setSeen] = useState<{ type: string; attempt: CheckAttempt } | null>(null);
  const testing = useMutation(trpc.monitors.testSettings.mutationOptions());
  if (isPassive(type)) return null;

  const run = async () => {
    setFailure(null);
    const parts = [type, 'checked'] as const;
    if (!(await form.trigger(parts, { shouldFocus: true }))) {
      setFailure('Correct the marked fields first.');
      onFaults(parts.flatMap((part) => errorPaths(form.getFieldState(part).error ?? {}, part)));
      return;
    }
    const { config } = toInput(form.getValues(), stored);
    const input = { type, config, ...(monitorId !== undefined && { id: monitorId }) } as TestMonitorInput;
    try {
      const { attempt } = await testing.mutateAsync(input);
      setSeen({ type, attempt });
    } catch (error) {
      const placed: string[] = [];
      const placeOf = (path: string) => {
        const field = fieldOf(type, path);
        if (field) placed.push(field);
        return field;
      };
      setFailure(toFieldErrors(error, form.setError, placeOf) ?? 'Correct the marked fields first.');
      onFaults(placed);
    }
  };
  const addRule = (property: string, value: string | number | boolean) => {
    const rules = form.getValues('http.assertions') as unknown as { source: string; property: string }[];
    if (rules.some((rule) => rule.source === 'json' && rule.property === property)) {
      toast(`There is a rule for ${property} already`);
      return;
    }
    const rule = { source: 'json', property, operator: 'equals', value: writeRuleValue('json', value) };
    form.setValue('http.assertions', [...rules, rule], { shouldDirty: true });
    toast(`Added the rule ${property} equals ${JSON.stringify(value)}`);
  };
  const attempt = seen?.type === type ? seen.attempt : null;
  return (
    <section aria-labelledby="try-it" className="min-w-0 xl:sticky xl:self-start xl:top-[calc(var(--topbar)+20px)]">
      <div className="mb-3 flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h2 id="try-it">Try it</h2>
        <span className="text-small text-faint">Nothing is saved, nobody is notified.</span>
        <span className="grow" />
        <Button busy={testing.isPending} onClick={run}>
          <Icon name="play" />
          {attempt ? 'Run again' : 'Run check'}
        </Button>
      </div>
      {failure ? (
        <Alert state="down" role="alert" className="mb-3">
          {failure}
        </Alert>
      ) : null}
      <div role="status">
        {testing.isPending ? <p className="mb-2 text-muted">Running the check…</p> : null}
        {attempt && !testing.isPending ? <Verdict attempt={attempt} /> : null}
      </div>
      {attempt ? (
        <>
          <h3 className="sr-only">Result</h3>
          <div className="overflow-hidden rounded-3 border [&>:first-child]:border-t-0">
            <AttemptDetails attempt={attempt} url={null} />
            {type === 'http' ? <JsonView attempt={attempt} onRule={addRule} /> : null}
          </div>
        </>
      ) : (
        <p className="rounded-3 border border-dashed px-4 py-8 text-center text-muted">
          Run a check to see the phases, the response and each rule with its value.
        </p>
      )}
    </section>
  );
}

const rulesOf = (count: number) => (count === 1 ? '1 rule' : `${count} rules`);

function Verdict({ attempt: { status, latencyMs, rules } }: { attempt: CheckAttempt }) {
  const failed = rules.filter(({ isMet }) => !isMet).length;
  return (
    <p className="mb-2 flex flex-wrap items-center gap-x-3">
      <StateLabel state={status} />
      {latencyMs === null ? null : <span className="num">{formatMs(latencyMs)}</span>}
      {rules.length > 0 ? (
        <span className="text-muted">
          {failed === 0 ? `${rulesOf(rules.length)} passed` : `${failed} of ${rulesOf(rules.length)} failed`}
        </span>
      ) : null}
    </p>
  );
}
