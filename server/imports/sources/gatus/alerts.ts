import { channelDefinitionOf } from '@/server/notifications/schema';
import { toCount, toDelay } from '../../convert/conversion';
import { type Row, toRow, toRows } from '../../convert/rows';
import type { DraftBuilder } from '../../draft';
import { toChannels } from './channels';
import { countOf, durationOf, isOn, keyOf, shownOf, textOf } from './fields';

const DEFAULT_FAILURES = 3;
const DEFAULT_RECOVERIES = 2;

/** An alert of an endpoint, with the defaults of its provider. */
export interface Alert {
  provider: string;
  /** The key of the source of the configuration: the provider, its override for a group, or that of an endpoint. */
  origin: string;
  /** The provider's configuration for this endpoint. */
  config: Row;
  failures: number;
  recoveries: number;
  isReminded: boolean;
}

const NOT_OF_CHANNEL = ['default-alert', 'overrides', 'group', 'client', 'title'];

/** Returns the enabled alerts of an endpoint. Leaves out those of providers that are not configured, as Gatus does. */
export function alertsOf(row: Row, alerting: Row): Alert[] {
  const group = shownOf(row, 'group');
  return toRows(row.alerts).flatMap((alert, index) => {
    const provider = textOf(alert, 'type');
    if (!Object.hasOwn(alerting, provider)) return [];
    const settings = toRow(alerting[provider]);
    const merged = { ...toRow(settings['default-alert']), ...alert };
    if (!isOn(merged, 'enabled', true)) return [];
    const ofGroup = toRows(settings.overrides).find((each) => group !== '' && shownOf(each, 'group') === group);
    const config = Object.fromEntries(
      Object.entries({ ...settings, ...ofGroup, ...toRow(alert['provider-override']) }).filter(
        ([name]) => !NOT_OF_CHANNEL.includes(name),
      ),
    );
    const isOwn = Object.keys(toRow(alert['provider-override'])).length > 0;
    return {
      provider,
      origin: isOwn ? `${provider}:${keyOf(row)}#${index}` : ofGroup ? `${provider}@${group.slice(0, 100)}` : provider,
      config,
      failures: countOf(merged, 'failure-threshold', DEFAULT_FAILURES),
      recoveries: countOf(merged, 'success-threshold', DEFAULT_RECOVERIES),
      isReminded: durationOf(merged, 'minimum-reminder-interval', 0) > 0,
    };
  });
}

/** Adds the channels of alerts to the draft, one for each distinct configuration. */
export class Channels {
  private readonly keys = new Map<string, string[]>();

  constructor(private readonly builder: DraftBuilder) {}

  /** Adds the channels of an alert if they are new, and returns their keys; none if it cannot be carried over. */
  keysOf({ provider, origin, config }: Alert): string[] {
    const content = JSON.stringify([provider, config]);
    const known = this.keys.get(content);
    if (known) return known;
    const { channels } = this.builder.draft;
    const first = channels.length;
    this.builder.addChannels({ key: origin, name: provider, from: provider }, () =>
      toChannels(provider, config).map(({ notes, ...input }, index) => {
        const number = channels.filter(({ input: { type } }) => type === input.type).length + index + 1;
        const { label } = channelDefinitionOf(input.type);
        const name = number === 1 ? label : `${label} ${number}`;
        return { key: index === 0 ? origin : `${origin}.${index}`, notes, input: { ...input, name } };
      }),
    );
    const added = channels.slice(first).map(({ key }) => key);
    this.keys.set(content, added);
    return added;
  }
}

/**
 * Returns the keys of the channels that an endpoint alerts; none if it has no alerts; null (all channels of the team) if none of its alerts can be
 * carried over. Adds notes.
 */
export function channelsOf(alerts: Alert[], channels: Channels, notes: string[]): string[] | null {
  const found = alerts.map((alert) => channels.keysOf(alert));
  const channelKeys = [...new Set(found.flat())];
  const isSilent = alerts.length > 0 && channelKeys.length === 0;
  if (isSilent) notes.push('None of its alerts is carried over. It alerts all channels of the team.');
  else if (found.some((keys) => keys.length === 0)) notes.push('Some of its alerts are not carried over.');
  if (alerts.length === 0) notes.push('It has no alerts, and alerts no channel.');
  if (alerts.some(({ isReminded }) => isReminded))
    notes.push('Reminders are not carried over. Set them at the channel.');
  return isSilent ? null : channelKeys;
}

/** Returns after how many failing checks an endpoint is down. In Gatus, each alert has its own number, so the smallest one applies. */
export function failuresOf(alerts: Alert[], notes: string[]): number {
  const failures = alerts.map((alert) => alert.failures);
  if (new Set(failures).size > 1) {
    notes.push('Its alerts wait for different numbers of failing checks. The smallest applies.');
  }
  return Math.min(...failures);
}

/** Returns the confirmation of an endpoint by the thresholds of its alerts; empty (the default) without alerts. */
export function confirmOf(alerts: Alert[], intervalMs: number, notes: string[]): object {
  if (alerts.length === 0) return {};
  return {
    failures: toCount(failuresOf(alerts, notes), notes),
    recoveries: toCount(Math.min(...alerts.map((alert) => alert.recoveries)), notes),
    retryDelayMs: toDelay(intervalMs, notes),
  };
}
