import type {
  DnsConfig,
  GrpcConfig,
  HeartbeatConfig,
  HttpConfig,
  Monitor,
  PingConfig,
  TcpConfig,
  TlsConfig,
} from '@/server/monitors/schema';

function atPort({ host = '', port = 0 }: { host?: string | undefined; port?: number | undefined }): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** What a monitor asks for, verbatim: "GET https://northwind.example/", "tcp db.northwind.example:5432". */
export function addressOf({ type, config }: Monitor): string {
  switch (type) {
    case 'http': {
      const { method = 'GET', url = '' } = config as Partial<HttpConfig>;
      return `${method} ${url}`;
    }
    case 'websocket':
      return String(config.url);
    case 'tcp': {
      const { tls, ...target } = config as Partial<TcpConfig>;
      return `${tls ? 'tls' : 'tcp'} ${atPort(target)}`;
    }
    case 'ping':
      return `ping ${(config as PingConfig).host}`;
    case 'dns': {
      const { host, recordType, resolver } = config as DnsConfig;
      return `${recordType} ${host}${resolver ? ` @${resolver}` : ''}`;
    }
    case 'tls': {
      const { serverName, ...target } = config as TlsConfig;
      return `tls ${atPort(target)}${serverName ? ` (${serverName})` : ''}`;
    }
    case 'grpc': {
      const { service, ...target } = config as GrpcConfig;
      return `grpc ${atPort(target)}${service ? ` ${service}` : ''}`;
    }
    case 'heartbeat': {
      const { cron, timezone = 'UTC' } = config as HeartbeatConfig;
      return cron === undefined ? 'heartbeat' : `heartbeat ${cron} ${timezone}`;
    }
    default:
      return type satisfies never;
  }
}

/** When an answer counts as slow, in milliseconds; null where nothing is said. */
export function degradedAfter({ config }: Monitor): number | null {
  return typeof config.degradedAfterMs === 'number' ? config.degradedAfterMs : null;
}
