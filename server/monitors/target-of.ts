import type {
  DnsConfig,
  GrpcConfig,
  HeartbeatConfig,
  HttpConfig,
  MonitorType,
  PingConfig,
  TcpConfig,
  TlsConfig,
  WebSocketConfig,
} from './schema';

function atPort({ host, port }: { host: string; port: number }): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The address of a monitor as a person reads it, from its masked config: no scheme, no query, no secrets. */
export function targetOf(type: MonitorType, config: unknown): string {
  switch (type) {
    case 'http':
    case 'websocket': {
      const { host, pathname } = new URL((config as HttpConfig | WebSocketConfig).url);
      return host + (pathname === '/' ? '' : pathname);
    }
    case 'tcp':
    case 'tls':
    case 'grpc':
      return atPort(config as TcpConfig | TlsConfig | GrpcConfig);
    case 'ping':
      return (config as PingConfig).host;
    case 'dns': {
      const { host, recordType } = config as DnsConfig;
      return `${host} ${recordType}`;
    }
    case 'heartbeat': {
      const { cron, timezone = 'UTC' } = config as HeartbeatConfig;
      return cron === undefined ? 'pings' : `pings at ${cron} ${timezone}`;
    }
    default:
      return type satisfies never;
  }
}
