import type { FieldPath } from 'react-hook-form';
import type {
  ConfigOf,
  DnsExpect,
  HttpConfig,
  IncidentSeverity,
  MonitorType,
  RecordType,
} from '@/server/monitor-types/schema';
import type { HeaderField } from './figures';

/** Whether response bodies are kept; `auto` is the default. */
export type SaveResponse = 'auto' | 'yes' | 'no';

export interface Rule {
  source: RuleSource;
  property: string;
  operator: RuleOperator;
  value: string;
}

export interface HttpFields {
  url: string;
  method: HttpConfig['method'];
  headers: HeaderField[];
  body: string;
  authKind: AuthKind;
  auth: {
    username: string;
    password: string;
    token: string;
    tokenUrl: string;
    clientId: string;
    clientSecret: string;
    scope: string;
  };
  expectedStatus: string;
  followRedirects: boolean;
  maxRedirects: string;
  degradedAfter: string;
  verifyTls: boolean;
  certificateWarnDays: string;
  ipFamily: HttpConfig['ipFamily'];
  saveResponseBody: SaveResponse;
  assertions: Rule[];
}

export type AuthKind = NonNullable<HttpConfig['auth']>['kind'] | 'none';

export type RuleSource = HttpConfig['assertions'][number]['source'];

export type RuleOperator = HttpConfig['assertions'][number]['operator'];

export interface TcpFields {
  host: string;
  port: string;
  tls: boolean;
  send: string;
  expect: string;
  saveResponseBody: SaveResponse;
}

export interface PingFields {
  host: string;
  packetCount: string;
  maxLossPercent: string;
}

export interface DnsFields {
  host: string;
  recordType: RecordType;
  resolver: string;
  match: DnsExpect['match'] | 'none';
  /** One value per line. */
  values: string;
}

export interface TlsFields {
  host: string;
  port: string;
  serverName: string;
  warnDays: string;
}

export interface WebSocketFields {
  url: string;
  headers: HeaderField[];
  send: string;
  expect: string;
  saveResponseBody: SaveResponse;
}

export interface GrpcFields {
  host: string;
  port: string;
  service: string;
  tls: boolean;
}

export interface SmtpFields {
  host: string;
  port: string;
  security: ConfigOf<'smtp'>['security'];
  expectedCode: string;
  certificateWarnDays: string;
}

export interface HeartbeatFields {
  schedule: 'interval' | 'cron';
  cron: string;
  timezone: string;
  grace: string;
}

/** The fields of each type, as text that was typed. */
export interface TypeFields {
  http: HttpFields;
  tcp: TcpFields;
  ping: PingFields;
  dns: DnsFields;
  tls: TlsFields;
  websocket: WebSocketFields;
  grpc: GrpcFields;
  smtp: SmtpFields;
  heartbeat: HeartbeatFields;
}

/** What the form's fields hold: text as typed, and the fields of every type side by side. */
export interface MonitorFields extends TypeFields {
  type: MonitorType;
  name: string;
  tags: string[];
  externalId: string;
  intervalSeconds: number;
  allChannels: boolean;
  channelIds: string[];
  regions: string[];
  severity: IncidentSeverity;
  timeout: string;
  confirm: { failures: number; recoveries: number; retryDelay: string; degraded: number };
}

export type MonitorField = FieldPath<MonitorFields>;
