import { toInterval, toPeriod } from '../../convert/conversion';
import { type Row, toRow } from '../../convert/rows';
import { cut, type DraftBuilder, NotCarriedOver, toTags } from '../../draft';
import { readBackup } from './backup';
import { toChannels } from './channels';
import { isDatabase, readDatabase } from './database';
import { toWindow } from './maintenance';
import { toMonitor, typeLabel } from './monitors';
import { isOn, jsonOf, type KumaData, nameOf, numberOf, textOf } from './rows';

/** The maximum number of days of all monitors together: a year for each of 270 monitors, which fills half of a draft. */
const MOST_DAYS = 100_000;
const MOST_LEVELS = 10;
const SOME_LEFT_OUT = 'Some of its notifications are not carried over.';

const idOf = (row: Row) => numberOf(row, 'id') ?? -1;

/** Adds the notifications as channels. Returns the keys of the channels of each notification; those that are left out are missing. */
function addChannels(data: KumaData, draft: DraftBuilder): Map<number, string[]> {
  const keys = new Map<number, string[]>();
  for (const row of data.notifications) {
    const config = toRow(jsonOf(row, 'config'));
    const id = idOf(row);
    const name = nameOf(row, 'name', `Notification ${id}`);
    const from = textOf(config, 'type').slice(0, 40) || 'unknown';
    const { channels } = draft.draft;
    const first = channels.length;
    draft.addChannels({ key: String(id), name, from }, () => {
      const made = toChannels(config);
      return made.map(({ notes = [], ...input }, index) => {
        const key = index === 0 ? String(id) : `${id}.${index}`;
        return { key, notes, input: { ...input, name: index === 0 ? name : cut(`${name} ${index + 1}`, 100) } };
      });
    });
    const added = channels.slice(first).map(({ key }) => key);
    if (added.length > 0) keys.set(id, added);
  }
  return keys;
}

/** Returns the names of the groups that a monitor is in, outermost first, at most `MOST_LEVELS`, because a damaged file may have a loop. */
function groupsOf(row: Row, byId: Map<number, Row>): string[] {
  const names: string[] = [];
  for (let parent = byId.get(numberOf(row, 'parent') ?? -1); parent && names.length < MOST_LEVELS; ) {
    names.unshift(textOf(parent, 'name'));
    parent = byId.get(numberOf(parent, 'parent') ?? -1);
  }
  return names;
}

function isPausedByGroup(row: Row, byId: Map<number, Row>): boolean {
  let parent = byId.get(numberOf(row, 'parent') ?? -1);
  for (let level = 0; parent && level < MOST_LEVELS; level += 1) {
    if (!isOn(parent, 'active')) return true;
    parent = byId.get(numberOf(parent, 'parent') ?? -1);
  }
  return false;
}

function notesOf(row: Row): string[] {
  const notes: string[] = [];
  if (textOf(row, 'description') !== '') notes.push('Its description is not carried over: monitors have none.');
  if ((numberOf(row, 'resend_interval') ?? 0) > 0) {
    notes.push('Repeated messages are not carried over. Set reminders at the channel.');
  }
  return notes;
}

function addMonitors(data: KumaData, draft: DraftBuilder, channelKeys: Map<number, string[]>): void {
  const byId = new Map(data.monitors.map((row) => [idOf(row), row]));
  const monitors = data.monitors.filter((row) => textOf(row, 'type') !== 'group');
  const mostDays = Math.floor(MOST_DAYS / Math.max(1, monitors.length));
  for (const row of monitors) {
    const id = idOf(row);
    const name = cut(textOf(row, 'name'), 120) || `Monitor ${id}`;
    draft.addMonitor({ key: String(id), name, from: typeLabel(row) }, () => {
      const { notes, ...typed } = toMonitor(row);
      const used = data.notificationIds.get(id) ?? [];
      const keys = used.flatMap((notification) => channelKeys.get(notification) ?? []);
      const isSilent = used.length > 0 && keys.length === 0;
      if (isSilent) notes.push('None of its notifications is carried over. It alerts all channels of the team.');
      else if (!used.every((each) => channelKeys.has(each))) notes.push(SOME_LEFT_OUT);
      const own = (data.tags.get(id) ?? []).map((tag) => (tag.value ? `${tag.name}: ${tag.value}` : tag.name));
      const seconds = numberOf(row, 'interval') ?? 60;
      const { graceSeconds = null } = typed.config;
      const period = typeof graceSeconds === 'number' ? toPeriod(seconds, graceSeconds, notes) : null;
      const input = {
        ...typed,
        ...(period && { config: { graceSeconds: period.graceSeconds } }),
        name,
        intervalSeconds: period?.intervalSeconds ?? toInterval(seconds, notes),
        tags: toTags([...groupsOf(row, byId), ...own]),
        isActive: isOn(row, 'active') && !isPausedByGroup(row, byId),
      };
      const pingToken = typed.type === 'heartbeat' ? textOf(row, 'push_token') || null : null;
      const days = (data.days.get(id) ?? []).slice(-mostDays);
      return { input, channelKeys: isSilent ? null : keys, pingToken, days, notes: [...notes, ...notesOf(row)] };
    });
  }
}

function addWindows(data: KumaData, draft: DraftBuilder, now: Date): void {
  for (const row of data.maintenance) {
    const name = nameOf(row, 'title', 'Maintenance');
    const from = textOf(row, 'strategy').slice(0, 40);
    draft.addWindow({ key: String(idOf(row)), name, from }, () => {
      const monitorKeys = (data.maintenanceMonitors.get(idOf(row)) ?? []).map(String);
      if (monitorKeys.length === 0) throw new NotCarriedOver('It has no monitors.');
      const description = cut(textOf(row, 'description'), 4_000) || null;
      return { monitorKeys, input: { title: name, description, ...toWindow(row, data.timezone, now) } };
    });
  }
}

function addPages(data: KumaData, draft: DraftBuilder): void {
  for (const row of data.statusPages) {
    const title = cut(textOf(row, 'title'), 120) || 'Status';
    draft.addPage({ key: String(idOf(row)), name: title, from: 'status page' }, () => {
      const slug = textOf(row, 'slug').toLowerCase();
      const notes = ['It is not public until you publish it.', 'Its groups become one list in the same order.'];
      if (isOn(row, 'password')) notes.push('Its password is not carried over.');
      const monitorKeys = [...new Set((data.pageMonitors.get(idOf(row)) ?? []).map(String))];
      const description = cut(textOf(row, 'description'), 2_000);
      return { monitorKeys, components: [], notes, input: { slug, title, description, isPublic: false } };
    });
  }
}

/** Reads a database of Uptime Kuma 1 or 2, or a backup of version 1. */
export async function readUptimeKuma(file: Buffer, builder: DraftBuilder, { now }: { now: Date }): Promise<void> {
  const data = isDatabase(file) ? await readDatabase(file, now) : readBackup(file);
  const { draft } = builder;
  draft.instance = data.instance;
  draft.version = data.version;
  addMonitors(data, builder, addChannels(data, builder));
  addWindows(data, builder, now);
  addPages(data, builder);
  if (data.monitors.some((row) => textOf(row, 'type') === 'group')) draft.notes.push('Groups become tags.');
  if (data.tags.size > 0) draft.notes.push('Tags have no colors here.');
  if (data.days.size > 0) {
    draft.notes.push('History is carried over by day, up to yesterday (UTC). Response times are not.');
  }
  if (!isDatabase(file)) {
    draft.notes.push('A backup has no maintenance, status pages and history. Import kuma.db to get them.');
  }
}
