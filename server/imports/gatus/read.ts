import { createHash } from 'node:crypto';
import { parse, YAMLParseError } from 'yaml';
import { channelDefinitionOf } from '@/server/notifications/schema';
import { canonicalZone } from '@/server/time/schema';
import { toCount, toDelay, toInterval, toPeriod } from '../conversion';
import { cut, type DraftBuilder, NotCarriedOver, toTags, UnreadableFile } from '../draft';
import { clockOf, firstOccurrence, ruleOf } from '../recurring-window';
import { type Row, toRow, toRows } from '../rows';
import { toChannels } from './channels';
import { toMonitor, typeLabel } from './endpoints';
import { countOf, durationOf, isOn, markEscaped, textOf, textsOf } from './fields';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const DEFAULT_INTERVAL_MS = 60_000;
const DEFAULT_FAILURES = 3;
const DEFAULT_RECOVERIES = 2;
/** A job may be a little later than the one before. */
const GRACE_SECONDS = 60;
/** How often anchors can be used; within each other, the numbers are multiplied. */
const MOST_ALIASES = 25_000;
const OTHER = 'This is no configuration of Gatus: it has no endpoints.';

/** The content of the file, with every scalar as text: a token of digits stays as it is. */
function parseFile(file: Buffer): Row {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(file);
    return toRow(parse(markEscaped(text), { schema: 'failsafe', merge: true, maxAliasCount: MOST_ALIASES }));
  } catch (error) {
    // Further lines of the message quote the file.
    const [line = ''] = error instanceof YAMLParseError ? error.message.split('\n') : [];
    if (line !== '') throw new UnreadableFile(`This is no valid YAML: ${cut(line, 200)}`);
    if (error instanceof ReferenceError)
      throw new UnreadableFile('This file uses anchors that it lacks, or too often.');
    throw new UnreadableFile('This is no valid YAML.');
  }
}

/** A text for people, also with a variable that only the other tool knows. */
function shownOf(row: Row, name: string): string {
  try {
    return textOf(row, name);
  } catch {
    const value = row[name];
    return typeof value === 'string' ? value : '';
  }
}

const nameOf = (row: Row) => cut(shownOf(row, 'name'), 120) || 'Endpoint';

/** The key by which the other tool finds an endpoint. */
const keyOf = (row: Row) =>
  [shownOf(row, 'group'), shownOf(row, 'name')]
    .map((part) =>
      part
        .trim()
        .toLowerCase()
        .replaceAll(/[/_., #+&]/g, '-'),
    )
    .join('_')
    .slice(0, 200);

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** An alert of an endpoint, with the defaults of its provider. */
interface Alert {
  provider: string;
  /** Names where the configuration is from: the provider, a group, or an endpoint. */
  origin: string;
  /** The provider's configuration for this endpoint. */
  config: Row;
  failures: number;
  recoveries: number;
  isReminded: boolean;
}

const NOT_OF_CHANNEL = ['default-alert', 'overrides', 'group', 'client', 'title'];

/** The enabled alerts of an endpoint, by configured providers. Others are ignored there, too. */
function alertsOf(row: Row, alerting: Row): Alert[] {
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

/** Adds the channels of alerts, each once. */
class Channels {
  private readonly keys = new Map<string, string[]>();

  constructor(private readonly builder: DraftBuilder) {}

  /** The keys of the channels of an alert; none if it cannot be carried over. */
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

/** The channels that an endpoint alerts; null for all of the team. */
function channelsOf(alerts: Alert[], channels: Channels, notes: string[]): string[] | null {
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

/** After how many failing checks an endpoint is down: there, each alert counts on its own. */
function failuresOf(alerts: Alert[], notes: string[]): number {
  const failures = alerts.map((alert) => alert.failures);
  if (new Set(failures).size > 1) {
    notes.push('Its alerts wait for different numbers of failing checks. The smallest applies.');
  }
  return Math.min(...failures);
}

function confirmOf(alerts: Alert[], intervalMs: number, notes: string[]): object {
  if (alerts.length === 0) return {};
  return {
    failures: toCount(failuresOf(alerts, notes), notes),
    recoveries: toCount(Math.min(...alerts.map((alert) => alert.recoveries)), notes),
    retryDelayMs: toDelay(intervalMs, notes),
  };
}

function addEndpoint(row: Row, draft: DraftBuilder, of: { alerting: Row; channels: Channels }): void {
  draft.addMonitor({ key: keyOf(row), name: nameOf(row), from: typeLabel(row) }, () => {
    const { type, config, notes } = toMonitor(row);
    const intervalMs = durationOf(row, 'interval', DEFAULT_INTERVAL_MS);
    const alerts = alertsOf(row, of.alerting);
    const channelKeys = channelsOf(alerts, of.channels, notes);
    const input = {
      type,
      config: { ...config, confirm: confirmOf(alerts, intervalMs, notes) },
      name: nameOf(row),
      intervalSeconds: toInterval(intervalMs / 1000, notes),
      tags: toTags([textOf(row, 'group')]),
      isActive: isOn(row, 'enabled', true),
    };
    return { input, channelKeys, pingToken: null, days: [], notes };
  });
}

/** An endpoint whose state is pushed. */
function addExternal(row: Row, draft: DraftBuilder, of: { alerting: Row; channels: Channels }): void {
  draft.addMonitor({ key: keyOf(row), name: nameOf(row), from: 'external' }, () => {
    const notes = ['It has a new ping URL. Update the job that pushes its state.'];
    const intervalMs = durationOf(toRow(row.heartbeat), 'interval', 0);
    if (intervalMs === 0) throw new NotCarriedOver('It has no heartbeat interval, so nothing says when it is late.');
    const alerts = alertsOf(row, of.alerting);
    const channelKeys = channelsOf(alerts, of.channels, notes);
    // There, each interval without a push is a failing check.
    const missed = alerts.length > 0 ? failuresOf(alerts, notes) - 1 : 0;
    const seconds = intervalMs / 1000;
    const { intervalSeconds, graceSeconds } = toPeriod(seconds, missed * seconds + GRACE_SECONDS, notes);
    const input = {
      type: 'heartbeat',
      config: { graceSeconds },
      name: nameOf(row),
      intervalSeconds,
      tags: toTags([textOf(row, 'group')]),
      isActive: isOn(row, 'enabled', true),
    };
    return { input, channelKeys, pingToken: null, days: [], notes };
  });
}

interface Window {
  key: string;
  title: string;
  monitorKeys: string[];
}

function addWindow(row: Row, draft: DraftBuilder, { key, title, monitorKeys }: Window, now: Date): void {
  if (Object.keys(row).length === 0 || !isOn(row, 'enabled', true)) return;
  draft.addWindow({ key, name: title, from: 'maintenance' }, () => {
    if (monitorKeys.length === 0) throw new NotCarriedOver('It has no monitors.');
    const timezone = textOf(row, 'timezone') || 'UTC';
    if (canonicalZone(timezone) === null) throw new NotCarriedOver(`The time zone ${cut(timezone, 40)} is unknown.`);
    const weekdays = textsOf(row, 'every').map((day) => WEEKDAYS.indexOf(day));
    if (weekdays.includes(-1)) throw new NotCarriedOver('A day of its list is unknown.');
    const rule = {
      ...ruleOf(weekdays.length > 0 ? weekdays : null, null, null),
      ...clockOf(textOf(row, 'start')),
      durationMs: durationOf(row, 'duration', 0),
    };
    const times = firstOccurrence(rule, { timezone, earliest: 0, now });
    return { monitorKeys, input: { title, ...times } };
  });
}

/** Reads a configuration of Gatus 5: one YAML file. */
export function readGatus(file: Buffer, builder: DraftBuilder, now: Date): void {
  const config = parseFile(file);
  const endpoints = toRows(config.endpoints);
  const external = toRows(config['external-endpoints']);
  const suites = toRows(config.suites);
  const [first] = [...endpoints, ...external, ...suites];
  if (!first) throw new UnreadableFile(OTHER);
  const { draft } = builder;
  // A configuration has no ID of the installation.
  draft.instance = digest(keyOf(first));
  const of = { alerting: toRow(config.alerting), channels: new Channels(builder) };
  for (const row of endpoints) addEndpoint(row, builder, of);
  for (const row of external) addExternal(row, builder, of);
  for (const row of suites) {
    builder.addMonitor({ key: keyOf(row), name: nameOf(row), from: 'suite' }, () => {
      throw new NotCarriedOver('Checks of several steps are not supported.');
    });
  }
  const added = new Set(draft.monitors.map(({ key }) => key));
  addWindow(
    toRow(config.maintenance),
    builder,
    { key: 'maintenance', title: 'Maintenance', monitorKeys: [...added] },
    now,
  );
  for (const row of [...endpoints, ...external]) {
    const monitorKeys = [keyOf(row)].filter((key) => added.has(key));
    for (const [index, window] of toRows(row['maintenance-windows']).entries()) {
      const title = cut(`Maintenance of ${nameOf(row)}`, 200);
      addWindow(window, builder, { key: `${keyOf(row)}.${index}`, title, monitorKeys }, now);
    }
  }
  draft.notes.push('Groups become tags.', 'Announcements, history and the look of its page are not carried over.');
}
