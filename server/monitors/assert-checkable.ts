import { definitionOf, isPassive } from '@/server/monitor-types/definitions';
import { isCheckedByAgents } from '@/server/monitor-types/private-regions';
import type { MonitorType, TypedConfig } from '@/server/monitor-types/schema';
import { invalidField } from '@/server/platform/errors';
import {
  assertAllowedHost,
  assertPort,
  assertPublicName,
  BlockedTargetError,
  InternalNameError,
  InvalidTargetError,
} from '@/server/platform/net';

/** The maximum size of a config as JSON, because lists, pages and plans hold many of them. */
const MAX_CONFIG_BYTES = 64 * 1024;

const REFUSALS = [BlockedTargetError, InternalNameError, InvalidTargetError];

function assertAddress(address: string): void {
  const url = address.includes('://') ? new URL(address) : null;
  assertAllowedHost(url?.hostname ?? address);
  if (url && url.port !== '') assertPort(Number(url.port));
}

/**
 * Turns the error of a blocked or invalid target into a VALIDATION_ERROR at this field of the config.
 * @param byAgents whether only agents connect to it, so that it may be blocked here
 */
function refuse(field: string, assert: () => void, byAgents: boolean): void {
  try {
    assert();
  } catch (error) {
    if (!(error instanceof Error && REFUSALS.some((kind) => error instanceof kind))) throw error;
    if (byAgents && !(error instanceof InvalidTargetError)) return;
    throw invalidField(`config.${field}`, `${error.message}.`);
  }
}

function assertSize(config: object): void {
  const bytes = Buffer.byteLength(JSON.stringify(config));
  if (bytes <= MAX_CONFIG_BYTES) return;
  const inKiB = Math.ceil(bytes / 1024);
  throw invalidField(
    'config',
    `Shorten the body, the headers or the assertions: the settings have ${inKiB} KiB, and may have 64 KiB in all.`,
  );
}

/**
 * Checks that a config is not too large, that checks may connect to its target, and that this instance's name servers may be queried for its names.
 * The addresses of other names are verified when they are resolved, at every check. Where only agents check the monitor, their machines decide which
 * targets they may connect to.
 * @throws AppError VALIDATION_ERROR
 */
export function assertCheckable(typed: TypedConfig, regions: readonly string[] = []): void {
  const { type, config } = typed;
  assertSize(config);
  const byAgents = isCheckedByAgents(regions);
  const definition = definitionOf(type);
  for (const [field, address] of definition.endpoints(config)) refuse(field, () => assertAddress(address), byAgents);
  for (const [field, name] of definition.lookups?.(config) ?? []) refuse(field, () => assertPublicName(name), byAgents);
}

/** @throws AppError VALIDATION_ERROR if a heartbeat monitor names regions */
export function assertRegions(type: MonitorType, regions: string[]): void {
  if (isPassive(type) && regions.length > 0) {
    throw invalidField('regions', 'Leave this empty: this monitor waits for pings, so no region checks it.');
  }
}
