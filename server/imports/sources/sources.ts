import { betterStack } from './better-stack/source';
import { blackbox } from './blackbox/source';
import { csv } from './csv/source';
import { freshping } from './freshping/source';
import { gatus } from './gatus/source';
import { healthchecks } from './healthchecks/source';
import { openapi } from './openapi/source';
import { pingdom } from './pingdom/source';
import type { Source } from './source';
import { statuscake } from './statuscake/source';
import { statuspage } from './statuspage/source';
import { uptimeKuma } from './uptime-kuma/source';
import { uptimeRobot } from './uptime-robot/source';
import { urls } from './urls/source';

/** The tools and formats whose files can be imported. Each has a reader (`readers.ts`). */
export const sources = {
  'uptime-kuma': uptimeKuma,
  'uptime-robot': uptimeRobot,
  gatus,
  healthchecks,
  blackbox,
  'better-stack': betterStack,
  pingdom,
  statuscake,
  freshping,
  statuspage,
  openapi,
  csv,
  urls,
} satisfies Record<string, Source>;

export type ImportSource = keyof typeof sources;
export const importSources = Object.keys(sources) as [ImportSource, ...ImportSource[]];

export const sourceOf = (source: ImportSource): Source => sources[source];

/** Returns the sources whose files can have this name, by its ending without .gz. */
export function sourcesByName(fileName: string): ImportSource[] {
  const [ending] = /\.[^.]+$/.exec(fileName.toLowerCase().replace(/\.gz$/, '')) ?? [];
  return importSources.filter((source) => ending !== undefined && sources[source].files.split(',').includes(ending));
}
