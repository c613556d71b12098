import { Document } from 'yaml';
import { type Section, sections } from '@/server/config-files/schema';
import { managedBy } from '@/server/managed-ids/schema';
import { type Current, currentObjects, fallbackKey } from './plan';
import { escapeText, hasConfig, mapSpecSecrets, mayBeSecret, variableFor } from './secrets';
import { withoutDefaults } from './specs';
import type { TeamState } from './state';

export interface ExportOptions {
  project: string;
  /** Whether to write texts that may contain a secret, such as request bodies, instead of placeholders, if the key may see them. */
  showsTexts: boolean;
  /** The URL or path of the JSON Schema for editors. */
  schema: string | null;
}

/** Whether an object is a maintenance window that is over. It is history, and not exported unless files describe it. */
const isOver = ({ section, row }: Current) =>
  section === 'maintenanceWindows' && 'next' in row && row.next === null && managedBy(row.externalId) === null;

const isMasked = (text: string) => text.includes('••••');

function toNode({ section, key, spec }: Current, { showsTexts }: ExportOptions): Record<string, unknown> {
  const short = withoutDefaults(section, spec);
  if (!hasConfig(section) || !short.config) return short;
  return mapSpecSecrets(section, short as never, (text, field) => {
    const isShown = field.kind !== 'credential' && !isMasked(text) && (showsTexts || !mayBeSecret(text, field));
    return isShown ? escapeText(text) : `\${${variableFor(section, key, field.path)}}`;
  });
}

/** Returns the team's configuration as YAML. The same configuration results in the same bytes. */
export function exportTeam(state: TeamState, options: ExportOptions): string {
  const { project, schema } = options;
  const current = currentObjects(state, project);
  const file: Record<string, unknown> = { version: 1, ...(project !== 'main' && { project }) };
  const fallbackChannel = fallbackKey(state, current);
  const team = {
    ...(state.alertGroupSeconds !== DEFAULT_GROUP_SECONDS && { alertGroupSeconds: state.alertGroupSeconds }),
    ...(fallbackChannel !== null && { fallbackChannel }),
  };
  if (Object.keys(team).length > 0) file.team = team;
  const inSection = (section: Section) =>
    [...current.values()]
      .filter((each) => each.section === section && !isOver(each))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const section of sections) {
    const objects = inSection(section).map((each) => [each.key, toNode(each, options)]);
    if (objects.length > 0) file[section] = Object.fromEntries(objects);
  }
  const document = new Document(file, { aliasDuplicateObjects: false });
  const text = document.toString({ lineWidth: 0 });
  return schema === null ? text : `# yaml-language-server: $schema=${schema}\n${text}`;
}

/** The default of a new team, in seconds. */
const DEFAULT_GROUP_SECONDS = 15;
