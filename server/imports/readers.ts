import type { DraftBuilder } from './draft';
import { readGatus } from './gatus/read';
import { readHealthchecks } from './healthchecks';
import type { ImportSource } from './schema';
import { readUptimeKuma } from './uptime-kuma/read';
import { readUptimeRobot } from './uptime-robot';

/** Reads a file of another tool: a pure function. Throws an UnreadableFile for one that it does not know. */
type Reader = (file: Buffer, draft: DraftBuilder, now: Date) => void | Promise<void>;

/** One reader per source. */
export const readers: Record<ImportSource, Reader> = {
  'uptime-kuma': readUptimeKuma,
  gatus: readGatus,
  'uptime-robot': readUptimeRobot,
  healthchecks: readHealthchecks,
};
