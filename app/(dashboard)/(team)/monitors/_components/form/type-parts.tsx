'use client';

import { useWatch } from 'react-hook-form';
import type { MonitorType } from '@/server/monitors/schema';
import { HttpAdvanced } from './advanced';
import { AreaField, ChoiceField, TextField, Two } from './fields';
import { HeadersEditor } from './headers-editor';
import { HeartbeatTiming } from './heartbeat-timing';
import type { MonitorFields } from './model';
import { AddressField } from './request-fields';
import { RulesEditor } from './rules-editor';
import { DnsTarget, GrpcTarget, PingTarget, TcpTarget, TlsTarget, WebSocketTarget } from './target-fields';

export interface TypeParts {
  label: string;
  note: string;
  /** What is watched; `suggests` a name for the monitor from it. */
  Target?: React.ComponentType<{ suggests: boolean }>;
  /** When; without it, how often, and for how long a check may take. */
  Timing?: React.ComponentType<{ current: number | undefined }>;
  /** What "counts as up when" means, in a sentence, and its fields. */
  upWhen: string;
  Expected?: React.ComponentType;
  /** What most leave as it is, beside the confirmation, and the name of that part; without a name there is none. */
  Advanced?: React.ComponentType;
  advancedTitle?: string;
}

const matches = [
  { value: 'none', label: 'Any record is there' },
  { value: 'any', label: 'One of these is there' },
  { value: 'all', label: 'All of these are there' },
  { value: 'exact', label: 'Exactly these are there' },
] as const;

function HttpExpected() {
  return (
    <>
      <TextField
        name="http.expectedStatus"
        label="Status is in"
        mono
        help="Codes and ranges: 200-299, 301. A rule about the status code takes its place."
      />
      <RulesEditor />
    </>
  );
}

function TcpExpected() {
  return (
    <Two>
      <AreaField name="tcp.send" label="Send" optional />
      <AreaField name="tcp.expect" label="Answer contains" optional />
    </Two>
  );
}

function PingExpected() {
  return (
    <Two>
      <TextField name="ping.packetCount" label="Packets" inputMode="numeric" />
      <TextField name="ping.maxLossPercent" label="Lost at most" inputMode="numeric" help="In percent of them." />
    </Two>
  );
}

function DnsExpected() {
  const match = useWatch<MonitorFields, 'dns.match'>({ name: 'dns.match' });
  return (
    <>
      <ChoiceField name="dns.match" label="Records" options={matches} />
      {match === 'none' ? null : (
        <AreaField name="dns.values" label="Values" help="One per line, as a zone file has them: 10 mail.example.com" />
      )}
    </>
  );
}

function TlsExpected() {
  return (
    <TextField
      name="tls.warnDays"
      label="Degraded within days of its end"
      inputMode="numeric"
      help="0 warns of nothing. An expired certificate is down in any case."
    />
  );
}

function WebSocketExpected() {
  return (
    <Two>
      <AreaField name="websocket.send" label="Send" optional />
      <AreaField name="websocket.expect" label="A message contains" optional />
    </Two>
  );
}

const confirming = 'Confirming a change';

/** What the form shows of each type, in the order of its choice. */
export const typeParts = {
  http: {
    label: 'HTTP',
    note: 'URL, status, body',
    Target: AddressField,
    upWhen: 'The status fits and every rule holds.',
    Expected: HttpExpected,
    Advanced: HttpAdvanced,
    advancedTitle: 'Headers, body, sign-in, redirects, certificate',
  },
  tcp: {
    label: 'TCP',
    note: 'Port opens, talks',
    Target: TcpTarget,
    upWhen: 'The port opens in time.',
    Expected: TcpExpected,
    advancedTitle: confirming,
  },
  ping: {
    label: 'Ping',
    note: 'Loss and round trip',
    Target: PingTarget,
    upWhen: 'Enough packets come back in time.',
    Expected: PingExpected,
    advancedTitle: confirming,
  },
  dns: {
    label: 'DNS',
    note: 'Records match',
    Target: DnsTarget,
    upWhen: 'The name server answers with these records.',
    Expected: DnsExpected,
    advancedTitle: confirming,
  },
  tls: {
    label: 'TLS',
    note: 'Certificate, expiry',
    Target: TlsTarget,
    upWhen: 'The certificate is trusted, for this name, and not about to expire.',
    Expected: TlsExpected,
    advancedTitle: confirming,
  },
  websocket: {
    label: 'WebSocket',
    note: 'Opens, answers',
    Target: WebSocketTarget,
    upWhen: 'The connection opens in time.',
    Expected: WebSocketExpected,
    Advanced: HeadersOfWebSocket,
    advancedTitle: 'Headers, confirming a change',
  },
  grpc: {
    label: 'gRPC',
    note: 'Health service',
    Target: GrpcTarget,
    upWhen: 'The health service reports SERVING in time.',
    advancedTitle: confirming,
  },
  heartbeat: {
    label: 'Heartbeat',
    note: 'Jobs report in',
    Timing: HeartbeatTiming,
    upWhen: 'Its address is pinged in time, and no run fails or takes longer than the grace.',
  },
} satisfies Record<MonitorType, TypeParts>;

function HeadersOfWebSocket() {
  return <HeadersEditor name="websocket.headers" />;
}

/** What the form shows of a type. */
export function partsOf(type: MonitorType): TypeParts {
  return typeParts[type];
}
