'use client';

import { useWatch } from 'react-hook-form';
import { SwitchField, TextField, Two } from '../fields';
import { figure, type InitialConfig, text } from '../figures';
import type { GrpcFields, MonitorFields } from '../monitor-fields';
import { useSuggestedName } from '../use-suggested-name';
import { HostAndPort } from './host-and-port';
import type { TypeForm } from './type-form';

export const grpc: TypeForm<InitialConfig<'grpc'>, GrpcFields> = {
  label: 'gRPC',
  note: 'Health service',
  toFields: ({ host = '', port, service, tls }) => ({ host, port: text(port), service, tls }),
  toConfig: ({ host, port, service, tls }) => ({ host, port: figure(port), service: service.trim(), tls }),
  Target({ suggests }) {
    const { host, service } = useWatch<MonitorFields, 'grpc'>({ name: 'grpc' });
    useSuggestedName(service || host, suggests);
    return (
      <>
        <HostAndPort of="grpc" placeholder="vault.northwind.example" port="50051" />
        <Two>
          <TextField
            name="grpc.service"
            label="Service"
            mono
            optional
            autoComplete="off"
            help="Default: the server as a whole."
          />
        </Two>
        <SwitchField name="grpc.tls" label="Use TLS" />
      </>
    );
  },
  upWhen: 'The health service reports SERVING within the timeout.',
};
