import type { DraftBuilder } from '../draft';
import { readBetterStack } from './better-stack/read';
import { readBlackbox } from './blackbox/read';
import type { Columns } from './csv/columns';
import { readCsv } from './csv/read';
import { readFreshping } from './freshping/read';
import { readGatus } from './gatus/read';
import { readHealthchecks } from './healthchecks/read';
import { readOpenapi } from './openapi/read';
import { readPingdom } from './pingdom/read';
import type { ImportSource } from './sources';
import { readStatuscake } from './statuscake/read';
import { readStatuspage } from './statuspage/read';
import { readUptimeKuma } from './uptime-kuma/read';
import { readUptimeRobot } from './uptime-robot/read';
import { readUrls } from './urls/read';

/**
 * Reads a file and adds its objects to the draft. Depends on its arguments only. `columns` are those that the user chose.
 * @throws UnreadableFile for a file of another format
 */
type Reader = (file: Buffer, draft: DraftBuilder, given: { now: Date; columns?: Columns }) => void | Promise<void>;

/** One reader per source. */
export const readers: Record<ImportSource, Reader> = {
  'uptime-kuma': readUptimeKuma,
  'uptime-robot': readUptimeRobot,
  gatus: readGatus,
  healthchecks: readHealthchecks,
  blackbox: readBlackbox,
  'better-stack': readBetterStack,
  pingdom: readPingdom,
  statuscake: readStatuscake,
  freshping: readFreshping,
  statuspage: readStatuspage,
  openapi: readOpenapi,
  csv: readCsv,
  urls: readUrls,
};
