'use client';

import { useWatch } from 'react-hook-form';
import { AreaField, SwitchField, Two } from '../fields';
import { figure, type InitialConfig, text } from '../figures';
import type { MonitorFields, TcpFields } from '../monitor-fields';
import { SaveResponseField, saveResponseField, saveResponseInput } from '../save-response-field';
import { useSuggestedName } from '../use-suggested-name';
import { HostAndPort } from './host-and-port';
import type { TypeForm } from './type-form';

export const tcp: TypeForm<InitialConfig<'tcp'>, TcpFields> = {
  label: 'TCP',
  note: 'Port opens, responds',
  toFields: ({ host = '', port, tls, send = '', expect = '', saveResponseBody }) => {
    return { host, port: text(port), tls, send, expect, saveResponseBody: saveResponseField(saveResponseBody) };
  },
  toConfig: ({ host, port, tls, send, expect, saveResponseBody }) => ({
    host,
    port: figure(port),
    tls,
    send: send || undefined,
    expect: expect || undefined,
    saveResponseBody: saveResponseInput(saveResponseBody),
  }),
  Target({ suggests }) {
    const { host, port } = useWatch<MonitorFields, 'tcp'>({ name: 'tcp' });
    useSuggestedName(host && port ? `${host}:${port}` : host, suggests);
    return (
      <>
        <HostAndPort of="tcp" placeholder="db.northwind.example" port="5432" />
        <SwitchField name="tcp.tls" label="Use TLS" />
      </>
    );
  },
  upWhen: 'The connection opens within the timeout.',
  Expected() {
    return (
      <Two>
        <AreaField name="tcp.send" label="Send" optional />
        <AreaField name="tcp.expect" label="Response contains" optional />
      </Two>
    );
  },
  Advanced() {
    return <SaveResponseField type="tcp" />;
  },
  advanced: ['saveResponseBody'],
  advancedTitle: 'Response, confirmation',
};
