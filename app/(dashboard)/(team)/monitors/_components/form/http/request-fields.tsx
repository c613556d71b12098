'use client';

import { useFormContext, useWatch } from 'react-hook-form';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { completeAddress, suggestName } from '../../suggest-name';
import { useFieldError } from '../fields';
import type { MonitorFields } from '../monitor-fields';
import { useSuggestedName } from '../use-suggested-name';

type Method = MonitorFields['http']['method'];
const methods: { value: Method; label: Method }[] = (
  ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
).map((method) => ({ value: method, label: method }));

/** The method and the URL of an HTTP monitor. */
export function UrlField({ suggests }: { suggests: boolean }) {
  const { register, setValue, getValues } = useFormContext<MonitorFields>();
  const method = useWatch<MonitorFields, 'http.method'>({ name: 'http.method' });
  const error = useFieldError('http.url');
  const address = useWatch<MonitorFields, 'http.url'>({ name: 'http.url' });
  useSuggestedName(suggestName(address), suggests);
  const url = register('http.url');
  return (
    <Field label="URL" error={error}>
      <div className="flex">
        <Select
          aria-label="Method"
          aria-invalid={false}
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
