import type { HttpConfig, MonitorType, TcpConfig } from './schema';

/** The address of a monitor as a person reads it, from its stored config: no scheme, no query, no secrets. */
export function targetOf(type: MonitorType, config: unknown): string {
  switch (type) {
    case 'http': {
      const { host, pathname } = new URL((config as HttpConfig).url);
      return host + (pathname === '/' ? '' : pathname);
    }
    case 'tcp': {
      const { host, port } = config as TcpConfig;
      return `${host.includes(':') ? `[${host}]` : host}:${port}`;
    }
    default:
      return type satisfies never;
  }
}
