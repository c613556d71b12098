import type { DraftBuilder } from '../draft';
import type { Columns } from './csv/columns';
import { readCsv } from './csv/read';
import { readGatus } from './gatus/read';
import { readHealthchecks } from './healthchecks/read';
import type { ImportSource } from './sources';
import { readUptimeKuma } from './uptime-kuma/read';
import { readUptimeRobot } from './uptime-robot/read';
import { readUrls } from './urls/read';

/** Reads a file: a pure function. `columns` are those that the user chose. Throws an UnreadableFile for a file that it does not know. */
type Reader = (file: Buffer, draft: DraftBuilder, given: { now: Date; columns?: Columns }) => void | Promise<void>;

/** One reader per source. */
export const readers: Record<ImportSource, Reader> = {
  'uptime-kuma': readUptimeKuma,
  'uptime-robot': readUptimeRobot,
  gatus: readGatus,
  healthchecks: readHealthchecks,
  csv: readCsv,
  urls: readUrls,
};
