'use client';

import { useWatch } from 'react-hook-form';
import { TextField } from '../fields';
import { figure, type InitialConfig, text } from '../figures';
import type { MonitorFields, TlsFields } from '../monitor-fields';
import { useSuggestedName } from '../use-suggested-name';
import { HostAndPort } from './host-and-port';
import type { TypeForm } from './type-form';

export const tls: TypeForm<InitialConfig<'tls'>, TlsFields> = {
  label: 'TLS',
  note: 'Certificate, expiry',
  toFields: ({ host = '', port, serverName = '', warnDays }) => {
    return { host, port: text(port), serverName, warnDays: text(warnDays) };
  },
  toConfig: ({ host, port, serverName, warnDays }) => {
    return { host, port: figure(port), serverName: serverName.trim() || undefined, warnDays: figure(warnDays) };
  },
  Target({ suggests }) {
    const { host, serverName } = useWatch<MonitorFields, 'tls'>({ name: 'tls' });
    const name = serverName || host;
    useSuggestedName(name && `Certificate of ${name}`, suggests);
    return (
      <>
        <HostAndPort of="tls" placeholder="northwind.example" port="443" />
        <TextField
          name="tls.serverName"
          label="Server name"
          mono
          optional
          autoComplete="off"
          help="The name that the certificate must be valid for. Default: the host."
        />
      </>
    );
  },
  upWhen: 'The certificate is trusted, valid for this name, and does not expire soon.',
  Expected() {
    return (
      <TextField
        name="tls.warnDays"
        label="Days of warning before expiry"
        inputMode="numeric"
        help="The monitor is degraded during this time. 0 turns warnings off; an expired certificate is always down."
      />
    );
  },
};
