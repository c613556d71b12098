'use client';

import { useWatch } from 'react-hook-form';
import { RecordType } from '@/server/monitor-types/schema';
import { AreaField, ChoiceField, TextField } from '../fields';
import type { InitialConfig } from '../figures';
import type { DnsFields, MonitorFields } from '../monitor-fields';
import { useSuggestedName } from '../use-suggested-name';
import type { TypeForm } from './type-form';

const recordTypes = RecordType.options.map((value) => ({ value, label: value }));

const matches = [
  { value: 'none', label: 'Any record exists' },
  { value: 'any', label: 'At least one of these' },
  { value: 'all', label: 'All of these' },
  { value: 'exact', label: 'Exactly these' },
] as const;

const lines = (value: string) => value.split('\n').filter((line) => line.trim() !== '');

export const dns: TypeForm<InitialConfig<'dns'>, DnsFields> = {
  label: 'DNS',
  note: 'Records match',
  toFields: ({ host = '', recordType = 'A', resolver = '', expect }) => {
    const { match = 'none' as const, values = [] } = expect ?? {};
    return { host, recordType, resolver, match, values: values.join('\n') };
  },
  toConfig: ({ host, recordType, resolver, match, values }) => {
    const expect = match === 'none' ? undefined : { match, values: lines(values) };
    return { host, recordType, resolver: resolver.trim() || undefined, expect };
  },
  renamed: { 'expect.match': 'match', expect: 'values' },
  Target({ suggests }) {
    const { host, recordType } = useWatch<MonitorFields, 'dns'>({ name: 'dns' });
    useSuggestedName(host && `${host} ${recordType}`, suggests);
    return (
      <>
        <div className="grid grid-cols-[minmax(0,1fr)_112px] gap-3">
          <TextField name="dns.host" label="Domain" mono autoComplete="off" placeholder="northwind.example" />
          <ChoiceField name="dns.recordType" label="Record type" options={recordTypes} />
        </div>
        <TextField
          name="dns.resolver"
          label="Name server"
          mono
          optional
          autoComplete="off"
          placeholder="192.0.2.53"
          help="An IP address, with :port unless it is 53. Default: the name servers of the machine that checks."
        />
      </>
    );
  },
  upWhen: 'The name server returns the expected records.',
  Expected() {
    const match = useWatch<MonitorFields, 'dns.match'>({ name: 'dns.match' });
    return (
      <>
        <ChoiceField name="dns.match" label="Expected records" options={matches} />
        {match === 'none' ? null : (
          <AreaField name="dns.values" label="Values" help="One per line, as in a zone file: 10 mail.example.com" />
        )}
      </>
    );
  },
};
