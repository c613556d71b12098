import { digest, toInterval, toPeriod } from '../../convert/conversion';
import { type Row, toRow, toRows } from '../../convert/rows';
import { readYaml } from '../../convert/yaml';
import { cut, type DraftBuilder, NotCarriedOver, toTags, UnreadableFile } from '../../draft';
import { alertsOf, Channels, channelsOf, confirmOf, failuresOf } from './alerts';
import { toMonitor, typeLabel } from './endpoints';
import { durationOf, isOn, keyOf, markEscaped, nameOf, textOf } from './fields';
import { addWindow } from './windows';

const DEFAULT_INTERVAL_MS = 60_000;
/** The tolerance of external endpoints, because a job may be a little late. */
const GRACE_SECONDS = 60;
const OTHER = 'This file is not a configuration of Gatus: it has no endpoints.';

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
    return { input, channelKeys, notes };
  });
}

/** Adds an external endpoint, whose state is pushed, as a heartbeat. */
function addExternal(row: Row, draft: DraftBuilder, of: { alerting: Row; channels: Channels }): void {
  draft.addMonitor({ key: keyOf(row), name: nameOf(row), from: 'external' }, () => {
    const notes = ['It has a new ping URL. Update the job that pushes its state.'];
    const intervalMs = durationOf(toRow(row.heartbeat), 'interval', 0);
    if (intervalMs === 0) throw new NotCarriedOver('It has no heartbeat interval, so nothing says when it is late.');
    const alerts = alertsOf(row, of.alerting);
    const channelKeys = channelsOf(alerts, of.channels, notes);
    // In Gatus, each interval without a push counts as a failing check.
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
    return { input, channelKeys, notes };
  });
}

/** Reads a configuration of Gatus 5: one YAML file. */
export function readGatus(file: Buffer, builder: DraftBuilder, { now }: { now: Date }): void {
  const [config = {}, ...more] = readYaml(file, { texts: true, prepare: markEscaped });
  if (more.length > 0) throw new UnreadableFile('This file has several documents. Merge them first.');
  const endpoints = toRows(config.endpoints);
  const external = toRows(config['external-endpoints']);
  const suites = toRows(config.suites);
  const [first] = [...endpoints, ...external, ...suites];
  if (!first) throw new UnreadableFile(OTHER);
  const { draft } = builder;
  // The file contains no ID of the installation, so the first endpoint identifies it.
  draft.instance = digest(keyOf(first)).slice(0, 12);
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
