import { invalidField } from '@/server/platform/errors';
import { assertAllowedHost, assertPort, BlockedTargetError, InvalidTargetError } from '@/server/platform/net';
import { parseResolver, type TypedConfig } from './schema';

/** Where a check connects to, by the fields that say so. Of a dns check, `host` is only asked about. */
function hostsOf({ type, config }: TypedConfig): [field: string, address: string | undefined][] {
  switch (type) {
    case 'http':
      return [
        ['url', config.url],
        ['auth.tokenUrl', config.auth?.kind === 'oauth2' ? config.auth.tokenUrl : undefined],
      ];
    case 'websocket':
      return [['url', config.url]];
    case 'dns':
      return [['resolver', config.resolver && parseResolver(config.resolver)?.address]];
    case 'tcp':
    case 'ping':
    case 'tls':
    case 'grpc':
      return [['host', config.host]];
    case 'heartbeat':
      return [];
    default:
      return type satisfies never;
  }
}

function assertAddress(address: string): void {
  const url = address.includes('://') ? new URL(address) : null;
  assertAllowedHost(url?.hostname ?? address);
  if (url && url.port !== '') assertPort(Number(url.port));
}

/**
 * Refuses at once a target that no check may connect to. Names are decided when they are resolved, at every check.
 * @throws AppError VALIDATION_ERROR
 */
export function assertCheckable(typed: TypedConfig): void {
  for (const [field, address] of hostsOf(typed)) {
    if (address === undefined) continue;
    try {
      assertAddress(address);
    } catch (error) {
      if (!(error instanceof BlockedTargetError || error instanceof InvalidTargetError)) throw error;
      throw invalidField(`config.${field}`, `${error.message}.`);
    }
  }
}
