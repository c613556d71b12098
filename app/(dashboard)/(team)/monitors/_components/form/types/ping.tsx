'use client';

import { useWatch } from 'react-hook-form';
import { TextField, Two } from '../fields';
import { figure, type InitialConfig, text } from '../figures';
import type { MonitorFields, PingFields } from '../monitor-fields';
import { useSuggestedName } from '../use-suggested-name';
import type { TypeForm } from './type-form';

export const ping: TypeForm<InitialConfig<'ping'>, PingFields> = {
  label: 'Ping',
  note: 'Loss and round trip',
  toFields: ({ host = '', packetCount, maxLossPercent }) => {
    return { host, packetCount: text(packetCount), maxLossPercent: text(maxLossPercent) };
  },
  toConfig: ({ host, packetCount, maxLossPercent }) => {
    return { host, packetCount: figure(packetCount), maxLossPercent: figure(maxLossPercent) };
  },
  Target({ suggests }) {
    const host = useWatch<MonitorFields, 'ping.host'>({ name: 'ping.host' });
    useSuggestedName(host, suggests);
    return <TextField name="ping.host" label="Host" mono autoComplete="off" placeholder="gateway.northwind.example" />;
  },
  upWhen: 'Enough packets return within the timeout.',
  Expected() {
    return (
      <Two>
        <TextField name="ping.packetCount" label="Packets" inputMode="numeric" />
        <TextField name="ping.maxLossPercent" label="Maximum packet loss" inputMode="numeric" help="In percent." />
      </Two>
    );
  },
};
