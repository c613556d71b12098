import { digest } from '../../convert/conversion';
import { readJson, toRow, toRows } from '../../convert/rows';
import { UnreadableFile } from '../../draft';
import { addTo, type KumaData, numberOf, textOf } from './rows';

const OTHER = 'This file is not a backup of Uptime Kuma: it has no monitorList. Choose a backup as JSON, or kuma.db.';

/** Reads a backup that Uptime Kuma 1 exported. It contains no maintenance, status pages or history. */
export function readBackup(file: Buffer): KumaData {
  const backup = toRow(readJson(file, 'This is neither a database nor valid JSON. Export the file again.'));
  if (!Array.isArray(backup.monitorList)) throw new UnreadableFile(OTHER);
  const monitors = toRows(backup.monitorList);
  const [first = {}] = monitors;
  const data: KumaData = {
    version: textOf(backup, 'version') || null,
    // The file contains no ID of the installation, so the first monitor identifies it.
    instance: digest(`${first.id} ${first.type} ${first.name}`).slice(0, 12),
    timezone: 'UTC',
    monitors,
    tags: new Map(),
    notifications: toRows(backup.notificationList),
    notificationIds: new Map(),
    maintenance: [],
    maintenanceMonitors: new Map(),
    statusPages: [],
    pageMonitors: new Map(),
    days: new Map(),
  };
  for (const monitor of monitors) {
    const id = numberOf(monitor, 'id');
    for (const tag of toRows(monitor.tags)) {
      addTo(data.tags, id, { name: textOf(tag, 'name'), value: textOf(tag, 'value') });
    }
    for (const [notification, isUsed] of Object.entries(toRow(monitor.notificationIDList))) {
      addTo(data.notificationIds, id, isUsed ? Number(notification) : null);
    }
  }
  return data;
}
