'use client';

import { useWatch } from 'react-hook-form';
import { RecordType } from '@/server/monitors/schema';
import { completeAddress, suggestName } from '../suggest-name';
import { ChoiceField, SwitchField, TextField, Two } from './fields';
import type { MonitorFields } from './model';
import { useSuggestedName } from './use-suggested-name';

interface Suggests {
  suggests: boolean;
}

const recordTypes = RecordType.options.map((value) => ({ value, label: value }));

function HostAndPort({ of, placeholder, port }: { of: 'tcp' | 'tls' | 'grpc'; placeholder: string; port: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_112px] gap-3">
      <TextField name={`${of}.host`} label="Host" mono autoComplete="off" placeholder={placeholder} />
      <TextField name={`${of}.port`} label="Port" mono inputMode="numeric" autoComplete="off" placeholder={port} />
    </div>
  );
}

/** Where a tcp monitor connects to. */
export function TcpTarget({ suggests }: Suggests) {
  const { host, port } = useWatch<MonitorFields, 'tcp'>({ name: 'tcp' });
  useSuggestedName(host && port ? `${host}:${port}` : host, suggests);
  return (
    <>
      <HostAndPort of="tcp" placeholder="db.northwind.example" port="5432" />
      <SwitchField name="tcp.tls" label="Speak TLS" />
    </>
  );
}

/** What a ping monitor pings. */
export function PingTarget({ suggests }: Suggests) {
  const host = useWatch<MonitorFields, 'ping.host'>({ name: 'ping.host' });
  useSuggestedName(host, suggests);
  return <TextField name="ping.host" label="Host" mono autoComplete="off" placeholder="gateway.northwind.example" />;
}

/** What a dns monitor asks, and whom. */
export function DnsTarget({ suggests }: Suggests) {
  const { host, recordType } = useWatch<MonitorFields, 'dns'>({ name: 'dns' });
  useSuggestedName(host && `${host} ${recordType}`, suggests);
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_112px] gap-3">
        <TextField name="dns.host" label="Domain" mono autoComplete="off" placeholder="northwind.example" />
        <ChoiceField name="dns.recordType" label="Record" options={recordTypes} />
      </div>
      <TextField
        name="dns.resolver"
        label="Name server"
        mono
        optional
        autoComplete="off"
        placeholder="192.0.2.53"
        help="An address, with :port where it is not 53. Left empty, the one of the machine that checks."
      />
    </>
  );
}

/** Where a tls monitor finds the certificate, and whose it must be. */
export function TlsTarget({ suggests }: Suggests) {
  const { host, serverName } = useWatch<MonitorFields, 'tls'>({ name: 'tls' });
  const name = serverName || host;
  useSuggestedName(name && `Certificate of ${name}`, suggests);
  return (
    <>
      <HostAndPort of="tls" placeholder="northwind.example" port="443" />
      <TextField
        name="tls.serverName"
        label="Name in the certificate"
        mono
        optional
        autoComplete="off"
        help="Where it is another than the host."
      />
    </>
  );
}

/** Which address a websocket monitor opens. */
export function WebSocketTarget({ suggests }: Suggests) {
  const url = useWatch<MonitorFields, 'websocket.url'>({ name: 'websocket.url' });
  useSuggestedName(suggestName(completeAddress(url, 'wss')), suggests);
  return (
    <TextField
      name="websocket.url"
      label="Address"
      mono
      inputMode="url"
      autoComplete="off"
      placeholder="wss://live.northwind.example/feed"
    />
  );
}

/** Whose health a grpc monitor asks about. */
export function GrpcTarget({ suggests }: Suggests) {
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
          help="Left empty, the server as a whole."
        />
      </Two>
      <SwitchField name="grpc.tls" label="Speak TLS" />
    </>
  );
}
