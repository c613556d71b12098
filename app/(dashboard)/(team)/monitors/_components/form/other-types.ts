import type {
  DnsConfig,
  DnsExpect,
  GrpcConfig,
  HeartbeatConfig,
  MonitorType,
  PingConfig,
  RecordType,
  TcpConfig,
  TlsConfig,
  WebSocketConfig,
} from '@/server/monitors/schema';
import { completeAddress } from '../suggest-name';
import { parseDuration } from './duration';
import { figure, type HeaderField, headerFields, headersInput, type Stored } from './figures';

/** The fields of every type but http, as text that was typed. */
export interface OtherFields {
  tcp: { host: string; port: string; tls: boolean; send: string; expect: string };
  ping: { host: string; packetCount: string; maxLossPercent: string };
  dns: {
    host: string;
    recordType: RecordType;
    resolver: string;
    match: DnsExpect['match'] | 'none';
    /** One value per line. */
    values: string;
  };
  tls: { host: string; port: string; serverName: string; warnDays: string };
  websocket: { url: string; headers: HeaderField[]; send: string; expect: string };
  grpc: { host: string; port: string; service: string; tls: boolean };
  heartbeat: { schedule: 'interval' | 'cron'; cron: string; timezone: string; grace: string };
}

const text = (value: number | undefined) => (value === undefined ? '' : String(value));

function heartbeatFields(config: Stored<HeartbeatConfig>): OtherFields['heartbeat'] {
  const { cron, timezone, graceSeconds = 60 } = config;
  return {
    schedule: cron === undefined ? 'interval' : 'cron',
    cron: cron ?? '',
    timezone: timezone ?? (cron === undefined ? Intl.DateTimeFormat().resolvedOptions().timeZone : ''),
    grace: graceSeconds % 60 === 0 && graceSeconds > 60 ? `${graceSeconds / 60} min` : `${graceSeconds} s`,
  };
}

/** The fields of every type, filled from a stored config where it has them, else with the schema's defaults. */
export function otherFields(stored: Record<string, unknown>): OtherFields {
  const config = stored as Stored<TcpConfig & PingConfig & TlsConfig & GrpcConfig>;
  const { host = '', port, tls = false, send = '' } = config;
  const { recordType = 'A', resolver = '', expect: records } = stored as Stored<DnsConfig>;
  const { url = '', headers } = stored as Stored<WebSocketConfig>;
  const expect = typeof stored.expect === 'string' ? stored.expect : '';
  return {
    tcp: { host, port: text(port), tls, send, expect },
    ping: { host, packetCount: text(config.packetCount ?? 3), maxLossPercent: text(config.maxLossPercent ?? 0) },
    dns: {
      host,
      recordType,
      resolver,
      match: records?.match ?? 'none',
      values: (records?.values ?? []).join('\n'),
    },
    tls: { host, port: text(port ?? 443), serverName: config.serverName ?? '', warnDays: text(config.warnDays ?? 14) },
    websocket: { url, headers: headerFields(headers), send, expect },
    grpc: { host, port: text(port), service: config.service ?? '', tls },
    heartbeat: heartbeatFields(stored),
  };
}

const lines = (value: string) => value.split('\n').filter((line) => line.trim() !== '');

/** What the fields of this type ask for, not yet checked. What is empty is undefined. */
export function otherInput(type: Exclude<MonitorType, 'http'>, fields: OtherFields): Record<string, unknown> {
  switch (type) {
    case 'tcp': {
      const { host, port, tls, send, expect } = fields.tcp;
      return { host, port: figure(port), tls, send: send || undefined, expect: expect || undefined };
    }
    case 'ping': {
      const { host, packetCount, maxLossPercent } = fields.ping;
      return { host, packetCount: figure(packetCount), maxLossPercent: figure(maxLossPercent) };
    }
    case 'dns': {
      const { host, recordType, resolver, match, values } = fields.dns;
      const expect = match === 'none' ? undefined : { match, values: lines(values) };
      return { host, recordType, resolver: resolver.trim() || undefined, expect };
    }
    case 'tls': {
      const { host, port, serverName, warnDays } = fields.tls;
      return { host, port: figure(port), serverName: serverName.trim() || undefined, warnDays: figure(warnDays) };
    }
    case 'websocket': {
      const { url, headers, send, expect } = fields.websocket;
      return {
        url: completeAddress(url, 'wss'),
        headers: headersInput(headers),
        send: send || undefined,
        expect: expect || undefined,
      };
    }
    case 'grpc': {
      const { host, port, service, tls } = fields.grpc;
      return { host, port: figure(port), service: service.trim(), tls };
    }
    case 'heartbeat': {
      const { schedule, cron, timezone, grace } = fields.heartbeat;
      const graceMs = parseDuration(grace);
      return {
        graceSeconds: graceMs === null ? undefined : graceMs / 1000,
        cron: schedule === 'cron' ? cron : undefined,
        timezone: schedule === 'cron' ? timezone.trim() || undefined : undefined,
      };
    }
    default:
      return type satisfies never;
  }
}
