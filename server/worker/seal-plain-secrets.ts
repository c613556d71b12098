import { z } from 'zod';
import { sealPlain as sealMonitor } from '@/server/monitors/config-secrets';
import { definitions, monitorTypes } from '@/server/monitors/types/definitions';
import { sealPlain as sealChannel } from '@/server/notifications/config-secrets';
import { db } from '@/server/platform/db';
import type { ChannelType, MonitorType } from '@/server/platform/generated/prisma/enums';
import { defineJob, enqueue } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';

const ROWS_AT_ONCE = 500;
const typesWithSecrets = monitorTypes.filter((type) => Object.keys(definitions[type].secrets).length > 0);

interface Holder {
  id: string;
  config: unknown;
  /** The same config with everything sealed that is a secret. */
  sealed: unknown;
}

async function readMonitors(after: string): Promise<Holder[]> {
  const rows = await db.$queryRaw<{ id: string; type: MonitorType; config: unknown }[]>`
    select id, type::text as type, config from monitors
    where id > ${after} and type = any(${typesWithSecrets}::monitor_type[]) order by id limit ${ROWS_AT_ONCE}`;
  return rows.map(({ id, type, config }) => ({ id, config, sealed: sealMonitor(type, config) }));
}

async function readChannels(after: string): Promise<Holder[]> {
  const rows = await db.$queryRaw<{ id: string; type: ChannelType; config: unknown }[]>`
    select id, type::text as type, config from channels where id > ${after} order by id limit ${ROWS_AT_ONCE}`;
  return rows.map(({ id, type, config }) => ({ id, config, sealed: sealChannel(type, config) }));
}

/** An edit that is made meanwhile wins; what it stores is sealed. Nothing that people see changes, so neither does the version. */
const writeMonitor = ({ id, config, sealed }: Holder) => db.$executeRaw`
  update monitors set config = ${JSON.stringify(sealed)}::jsonb
  where id = ${id} and config = ${JSON.stringify(config)}::jsonb`;

const writeChannel = ({ id, config, sealed }: Holder) => db.$executeRaw`
  update channels set config = ${JSON.stringify(sealed)}::jsonb
  where id = ${id} and config = ${JSON.stringify(config)}::jsonb`;

/** Seals what was stored before it was taken for a secret, row by row; a second run finds nothing left. */
export const sealPlainSecrets = defineJob({
  name: 'seal-plain-secrets',
  schema: z.object({}),
  async run(_payload, { signal }) {
    let sealed = 0;
    for (const { read, write } of [
      { read: readMonitors, write: writeMonitor },
      { read: readChannels, write: writeChannel },
    ]) {
      for (let page = await read(''); page.length > 0; page = await read(page.at(-1)?.id ?? '')) {
        for (const holder of page) {
          signal.throwIfAborted();
          if (JSON.stringify(holder.sealed) !== JSON.stringify(holder.config)) sealed += await write(holder);
        }
      }
    }
    if (sealed > 0) log.info({ sealed }, 'Settings that were stored in plain are sealed');
  },
});

/** Has settings sealed that an earlier version stored in plain; several workers ask for it once. */
export async function queueSealing(): Promise<void> {
  await enqueue(db, sealPlainSecrets, {}, { jobKey: sealPlainSecrets.name });
}
