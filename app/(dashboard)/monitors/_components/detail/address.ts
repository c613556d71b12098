import type { HttpConfig, Monitor, TcpConfig } from '@/server/monitors/schema';

/** What a monitor asks for, verbatim: "GET https://northwind.example/", "tcp db.northwind.example:5432". */
export function addressOf({ type, config }: Monitor): string {
  switch (type) {
    case 'http': {
      const { method = 'GET', url = '' } = config as Partial<HttpConfig>;
      return `${method} ${url}`;
    }
    case 'tcp': {
      const { host = '', port = 0, tls } = config as Partial<TcpConfig>;
      return `${tls ? 'tls' : 'tcp'} ${host.includes(':') ? `[${host}]` : host}:${port}`;
    }
    default:
      return type satisfies never;
  }
}

/** When an answer counts as slow, in milliseconds; null where nothing is said. */
export function degradedAfter({ config }: Monitor): number | null {
  return typeof config.degradedAfterMs === 'number' ? config.degradedAfterMs : null;
}
