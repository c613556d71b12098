import { schemaDefaults } from '@/app/_components/forms/schema-defaults';
import {
  definitionOf,
  definitions,
  isPassive,
  type Monitor,
  MonitorType,
  SpeedConfirm,
  TimeoutMs,
} from '@/server/monitor-types/schema';
import { parseDuration, writeDuration } from './duration';
import type { MonitorFields, TypeFields } from './monitor-fields';
import { formOf } from './types';

/** The fields of a type, for a stored config or for the schema's defaults. */
export function fieldsOfType(type: MonitorType, stored: Record<string, unknown> = {}): Record<string, unknown> {
  return formOf(type).toFields({ ...schemaDefaults(definitions[type].schema), ...stored });
}

function fieldsOfTypes(monitor: Monitor | undefined): TypeFields {
  const fields = MonitorType.options.map((type) => {
    return [type, fieldsOfType(type, monitor?.type === type ? monitor.config : {})] as const;
  });
  return Object.fromEntries(fields) as unknown as TypeFields;
}

/** The fields of a new monitor, or of an existing one. */
export function toFields(type: MonitorType, monitor?: Monitor): MonitorFields {
  const { timeoutMs, confirm } = { timeoutMs: undefined, confirm: undefined, ...monitor?.config };
  const { failures, recoveries, retryDelayMs, degraded } = SpeedConfirm.parse(confirm);
  return {
    type: monitor?.type ?? type,
    name: monitor?.name ?? '',
    tags: monitor?.tags ?? [],
    externalId: monitor?.externalId ?? '',
    // The interval of a cron schedule may be longer than any choice.
    intervalSeconds: Math.min(monitor?.intervalSeconds ?? 60, 86_400),
    allChannels: (monitor?.channelIds ?? null) === null,
    channelIds: monitor?.channelIds ?? [],
    regions: monitor?.regions ?? [],
    severity: monitor?.severity ?? 'critical',
    timeout: writeDuration(TimeoutMs.parse(timeoutMs)),
    confirm: { failures, recoveries, retryDelay: writeDuration(retryDelayMs), degraded },
    ...fieldsOfTypes(monitor),
  };
}

/** Drops undefined values, which JSON cannot carry. */
function compact(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/** The settings that all checked types share. */
function checkInput({ type, timeout, confirm }: MonitorFields): Record<string, unknown> {
  const { failures, recoveries, retryDelay, degraded } = confirm;
  const retryDelayMs = parseDuration(retryDelay) ?? undefined;
  const speed = definitionOf(type).isDegradedBySpeed ? { degraded } : {};
  return {
    timeoutMs: parseDuration(timeout) ?? undefined,
    confirm: compact({ failures, recoveries, retryDelayMs, ...speed }),
  };
}

/**
 * What the fields ask for, not yet validated: it goes through `CreateMonitorInput`. `stored` is the config of an existing
 * monitor; what has no field keeps its stored value.
 */
export function toInput(fields: MonitorFields, stored: Record<string, unknown> = {}) {
  const { type, name, tags, externalId, intervalSeconds, allChannels, channelIds, regions, severity } = fields;
  const isPinged = isPassive(type);
  const own = formOf(type).toConfig({ ...fields[type] });
  const config = compact({ ...stored, ...own, ...(!isPinged && checkInput(fields)) });
  // A cron expression takes the interval's place.
  const hasInterval = !isPinged || config.cron === undefined;
  const chosen = { channelIds: allChannels ? null : channelIds, externalId: externalId === '' ? null : externalId };
  return {
    type,
    name,
    tags,
    ...(hasInterval && { intervalSeconds }),
    severity,
    ...chosen,
    ...(!isPinged && { regions }),
    config,
  };
}
