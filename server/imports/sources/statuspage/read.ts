import { canParseUrl } from '@/server/platform/schema';
import { MAX_PAGE_COMPONENTS } from '@/server/status-pages/schema';
import { type Row, readJson, textOf, toRow, toRows } from '../../convert/rows';
import { cut, type DraftBuilder, UnreadableFile } from '../../draft';

const OTHER = 'This file is not a summary of a Statuspage: it has no page with components.';
const NO_MONITORS = 'A maintenance window needs monitors. Create it after you add monitors.';
const MOST_NAMED = 5;

/** Returns a slug for the page, from its host name or its title. */
function slugOf(page: Row): string {
  const url = textOf(page, 'url');
  const host = canParseUrl(url) ? new URL(url).hostname : '';
  const [label = ''] = host.split('.').filter((part) => part !== 'status' && part !== 'www');
  const slug = (label || textOf(page, 'name'))
    .slice(0, 50)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return slug.length < 3 ? `${slug}-status`.replace(/^-/, 'page-') : slug;
}

/** Returns the components in the order of the page. The name of a group becomes a prefix of the names of its components. */
function componentsOf(rows: Row[]): { name: string; description: string }[] {
  const groups = new Map(
    rows.filter(({ group }) => group === true).map((row) => [textOf(row, 'id'), textOf(row, 'name')]),
  );
  return rows
    .filter(({ group }) => group !== true)
    .map((row) => {
      const group = groups.get(textOf(row, 'group_id'));
      const name = cut(group === undefined ? textOf(row, 'name') : `${group}: ${textOf(row, 'name')}`, 120);
      return { name: name || 'Component', description: cut(textOf(row, 'description'), 300) };
    });
}

/** Returns a note on the incidents of the file, which cannot be imported because an incident starts when it is created. */
function incidentNotes(incidents: Row[]): string[] {
  const names = incidents.slice(0, MOST_NAMED).map((row) => `“${cut(textOf(row, 'name'), 120) || 'Incident'}”`);
  const more = incidents.length > names.length ? ` and ${incidents.length - names.length} more` : '';
  if (names.length === 0) return [];
  const start = incidents.length === 1 ? 'The incident' : 'The incidents';
  const end = `Open an incident if ${incidents.length === 1 ? 'it is' : 'one is'} still ongoing.`;
  return [`${start} ${names.join(', ')}${more} cannot be created with times in the past. ${end}`];
}

/** Reads the summary of a Statuspage, as version 2 of its public API returns it. */
export function readStatuspage(file: Buffer, builder: DraftBuilder): void {
  const summary = toRow(readJson(file));
  const page = toRow(summary.page);
  const rows = toRows(summary.components);
  if (textOf(page, 'id') === '' || rows.length === 0) throw new UnreadableFile(OTHER);
  const { draft } = builder;
  draft.instance = cut(textOf(page, 'id'), 40);
  const title = cut(textOf(page, 'name'), 120) || 'Status';
  builder.addPage({ key: 'page', name: title, from: 'page' }, () => {
    const all = componentsOf(rows);
    const components = all.slice(0, MAX_PAGE_COMPONENTS);
    const notes = ['It is not public until you publish it.', `${components.length} components without a monitor.`];
    if (all.length > components.length)
      notes.push(`${all.length - components.length} further components are not carried over.`);
    if (rows.some(({ group }) => group === true))
      notes.push('Names of groups are part of the names of their components.');
    if (rows.some((row) => row.only_show_if_degraded === true))
      notes.push('Components that show only while degraded show always.');
    return { monitorKeys: [], components, notes, input: { slug: slugOf(page), title, isPublic: false } };
  });
  for (const row of toRows(summary.scheduled_maintenances)) {
    const name = cut(textOf(row, 'name'), 120) || 'Maintenance';
    builder.leaveOut({ kind: 'window', name, from: 'maintenance', reason: NO_MONITORS });
  }
  draft.notes.push(...incidentNotes(toRows(summary.incidents)));
  draft.notes.push('Past incidents, subscribers, metrics and the look of the page are not carried over.');
}
