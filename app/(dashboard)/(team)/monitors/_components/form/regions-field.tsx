'use client';

import { useQuery } from '@tanstack/react-query';
import { useController } from 'react-hook-form';
import { CheckboxRow } from '@/app/_components/ui/checkbox';
import { useTRPC } from '@/app/_trpc/client';
import { FormPart, ListError } from './fields';
import type { MonitorFields } from './monitor-fields';

/** Agents check in private regions. */
const isPrivate = (region: string) => region.startsWith('private/');

const workersNote = (name: string, workers: number | undefined) => {
  if (workers === undefined) return null;
  const noun = isPrivate(name) ? 'agent' : 'worker';
  if (workers === 0) return `no ${noun}s`;
  return workers === 1 ? `1 ${noun}` : `${workers} ${noun}s`;
};

/** Selects the regions to check from. Hidden if there is only one and none was chosen. */
export function RegionsField() {
  const trpc = useTRPC();
  const { field } = useController<MonitorFields, 'regions'>({ name: 'regions' });
  const known = useQuery(trpc.monitors.regions.queryOptions()).data?.regions ?? [];
  const workers = new Map(known.map(({ name, workers: count }) => [name, count]));
  const names = [...new Set([...workers.keys(), ...field.value])].sort();
  if (names.length < 2 && field.value.length === 0) return null;
  const toggle = (name: string, on: boolean) =>
    field.onChange(on ? [...field.value, name] : field.value.filter((each) => each !== name));

  return (
    <FormPart title="Checked from" note={noteOf(field.value)}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset's legend would repeat the part's title. */}
      <div role="group" aria-label="Regions" className="grid gap-1">
        {names.map((name) => (
          <CheckboxRow
            key={name}
            checked={field.value.includes(name)}
            onCheckedChange={(checked) => toggle(name, checked === true)}
            note={workersNote(name, workers.get(name))}
          >
            <span className="font-medium">{name}</span>
          </CheckboxRow>
        ))}
      </div>
      <ListError name="regions" />
    </FormPart>
  );
}

function noteOf(regions: string[]): string {
  const chosen = regions.length;
  if (chosen > 0 && regions.every(isPrivate)) return 'Only agents of your team check the monitor.';
  if (chosen === 0) return 'Any worker in any region, unless you select some.';
  if (chosen === 1) return 'Only workers in this region check the monitor.';
  return 'The monitor is down when most regions report it down. A single failing region is shown, but sends no alert.';
}
