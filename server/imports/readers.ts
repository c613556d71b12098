import type { DraftBuilder } from './draft';
import { readGatus } from './gatus/read';
import type { ImportSource } from './schema';
import { readUptimeKuma } from './uptime-kuma/read';

/** Reads a file of another tool: a pure function. Throws an UnreadableFile for one that it does not know. */
type Reader = (file: Buffer, draft: DraftBuilder, now: Date) => void | Promise<void>;

/** One reader per source. */
export const readers: Record<ImportSource, Reader> = { 'uptime-kuma': readUptimeKuma, gatus: readGatus };
