import { invalidField } from '@/server/platform/errors';
import {
  assertAllowedHost,
  assertPort,
  assertPublicName,
  BlockedTargetError,
  InternalNameError,
  InvalidTargetError,
} from '@/server/platform/net';
import { parseResolver, type TypedConfig } from './schema';

const REFUSALS = [BlockedTargetError, InternalNameError, InvalidTargetError];

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

function refuse(field: string, assert: () => void): void {
  try {
    assert();
  } catch (error) {
    if (!(error instanceof Error && REFUSALS.some((kind) => error instanceof kind))) throw error;
    throw invalidField(`config.${field}`, `${error.message}.`);
  }
}

/**
 * Refuses at once a target that no check may connect to, and a name that this instance's name servers are not asked about.
 * Other names are decided when they are resolved, at every check.
 * @throws AppError VALIDATION_ERROR
 */
export function assertCheckable(typed: TypedConfig): void {
  for (const [field, address] of hostsOf(typed)) {
    if (address !== undefined) refuse(field, () => assertAddress(address));
  }
  const { type, config } = typed;
  if (type === 'dns' && config.resolver === undefined) refuse('host', () => assertPublicName(config.host));
}
