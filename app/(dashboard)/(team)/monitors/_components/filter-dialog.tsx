'use client';

import { useQuery } from '@tanstack/react-query';
import { oneOf } from '@/app/_components/one-of';
import { states, stateWords } from '@/app/_components/status/states';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field } from '@/app/_components/ui/field';
import { Select } from '@/app/_components/ui/select';
import { useTRPC } from '@/app/_trpc/client';
import { monitorStatuses, monitorTypes } from '@/server/monitor-lists/values';
import { unfiltered } from './filters';
import type { MonitorChipsProps } from './monitor-chips';

export interface FilterDialogProps extends MonitorChipsProps {
  open: boolean;
  onClose: () => void;
}

/** A value that no filter has, because the value of an option cannot be empty. */
const ANY = ' any';

/** The dialog that narrows the list. Each choice takes effect at once. */
export function FilterDialog({ filters, onChange, open, onClose }: FilterDialogProps) {
  const trpc = useTRPC();
  const tags = useQuery(trpc.monitors.tags.queryOptions(undefined, { enabled: open })).data?.tags ?? [];
  const regions = useQuery(trpc.monitors.regions.queryOptions(undefined, { enabled: open })).data?.regions ?? [];
  const channels =
    useQuery(trpc.notifications.list.queryOptions({ limit: 100 }, { enabled: open })).data?.channels ?? [];
  const plain = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Filter monitors"
      footer={
        <>
          <Button onClick={() => onChange(unfiltered)}>Clear filters</Button>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className="grid gap-3 pb-2">
        <Choice
          label="Status"
          value={filters.status}
          options={states.map((state) => ({ value: state, label: stateWords[state] }))}
          onChange={(status) => onChange({ status: oneOf(monitorStatuses, status) })}
        />
        <Choice
          label="Type"
          value={filters.type}
          options={plain(monitorTypes)}
          onChange={(type) => onChange({ type: oneOf(monitorTypes, type) })}
        />
        <Choice
          label="Tag"
          value={filters.tag}
          options={tags.map(({ tag, monitors }) => ({ value: tag, label: `${tag} (${monitors})` }))}
          onChange={(tag) => onChange({ tag })}
        />
        {regions.length > 0 || filters.region ? (
          <Choice
            label="Region"
            value={filters.region}
            options={plain(regions.map(({ name }) => name))}
            onChange={(region) => onChange({ region })}
          />
        ) : null}
        <Choice
          label="Channel"
          value={filters.channelId}
          options={channels.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(channelId) => onChange({ channelId })}
        />
      </div>
    </Dialog>
  );
}

interface ChoiceProps {
  label: string;
  value: string | null;
  options: { value: string; label: string }[];
  onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  const isListed = !value || options.some((option) => option.value === value);
  const all = [{ value: ANY, label: 'Any' }, ...(isListed ? [] : [{ value, label: value }]), ...options];
  return (
    <Field label={label}>
      <Select options={all} value={value || ANY} onValueChange={(chosen) => onChange(chosen === ANY ? '' : chosen)} />
    </Field>
  );
}
