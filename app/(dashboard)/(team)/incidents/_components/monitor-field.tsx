'use client';

import { useState } from 'react';
import { FindMonitor, type NamedMonitor } from '@/app/_components/monitors/find-monitor';
import { StateLabel } from '@/app/_components/status/state-label';
import { Button } from '@/app/_components/ui/button';
import { FieldError } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';

export interface MonitorFieldProps {
  onValueChange: (id: string | null) => void;
  error: string | undefined;
}

/** Selects the affected monitor: one or none. */
export function MonitorField({ onValueChange, error }: MonitorFieldProps) {
  const [chosen, setChosen] = useState<NamedMonitor | null>(null);
  const [touched, setTouched] = useState(false);
  const choose = (monitor: NamedMonitor | null) => {
    setChosen(monitor);
    setTouched(true);
    onValueChange(monitor?.id ?? null);
  };
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="sr-only">Monitor</legend>
      {chosen ? (
        <>
          <p aria-hidden="true" className="font-medium">
            Monitor
          </p>
          <div className="flex items-center gap-2 rounded-3 border py-1 pr-1 pl-3">
            <span className="min-w-0 grow truncate font-medium">{chosen.name}</span>
            <StateLabel state={chosen.status} />
            <Button
              // The focused button is removed; focus moves to the one that replaces it.
              autoFocus
              variant="ghost"
              square
              aria-label={`Remove ${chosen.name}`}
              onClick={() => choose(null)}
            >
              <Icon name="x" />
            </Button>
          </div>
          {error ? <FieldError>{error}</FieldError> : null}
        </>
      ) : (
        <FindMonitor
          label="Monitor"
          verb="Select"
          listLabel="Available monitors"
          optional
          autoFocus={touched}
          error={error}
          onChoose={choose}
        />
      )}
    </fieldset>
  );
}
