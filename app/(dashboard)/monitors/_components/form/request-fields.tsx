'use client';

import { useEffect } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { completeAddress, suggestName } from '../suggest-name';
import { SwitchField, TextField, useFieldError } from './fields';
import type { MonitorFields } from './model';

type Method = MonitorFields['http']['method'];
const methods: { value: Method; label: Method }[] = (
  ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
).map((method) => ({ value: method, label: method }));

/** Gives the monitor the name its address suggests, until a person has named it. */
function useSuggestedName(name: string, wanted: boolean) {
  const { setValue, formState } = useFormContext<MonitorFields>();
  const isNamed = formState.dirtyFields.name === true;
  useEffect(() => {
    if (wanted && !isNamed) setValue('name', name);
  }, [wanted, isNamed, name, setValue]);
}

/** What an http monitor asks for: method and address. */
export function AddressField({ suggests }: { suggests: boolean }) {
  const { register, setValue, getValues } = useFormContext<MonitorFields>();
  const method = useWatch<MonitorFields, 'http.method'>({ name: 'http.method' });
  const error = useFieldError('http.url');
  const address = useWatch<MonitorFields, 'http.url'>({ name: 'http.url' });
  useSuggestedName(suggestName(address), suggests);
  const url = register('http.url');
  return (
    <Field label="Address" error={error}>
      <div className="flex">
        <Select
          aria-label="Method"
          id="method"
          mono
          options={methods}
          value={method}
          onValueChange={(value) => setValue('http.method', value, { shouldDirty: true })}
          className="w-[112px] shrink-0 rounded-r-none bg-sunken sm:w-[104px]"
        />
        <Input
          {...url}
          onBlur={(event) => {
            const complete = completeAddress(getValues('http.url'));
            if (complete !== getValues('http.url')) setValue('http.url', complete, { shouldDirty: true });
            return url.onBlur(event);
          }}
          mono
          inputMode="url"
          autoComplete="off"
          placeholder="https://northwind.example"
          className="-ml-px rounded-l-none"
        />
      </div>
    </Field>
  );
}

/** Where a tcp monitor connects to. */
export function HostFields({ suggests }: { suggests: boolean }) {
  const { host, port } = useWatch<MonitorFields, 'tcp'>({ name: 'tcp' });
  useSuggestedName(host && port ? `${host}:${port}` : host, suggests);
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_112px] gap-3">
        <TextField name="tcp.host" label="Host" mono autoComplete="off" placeholder="db.northwind.example" />
        <TextField name="tcp.port" label="Port" mono inputMode="numeric" autoComplete="off" placeholder="5432" />
      </div>
      <SwitchField name="tcp.tls" label="Speak TLS" />
    </>
  );
}
