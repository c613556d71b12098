import { z } from 'zod';
import { previousSeal, seal, unseal } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { defineJob, enqueue } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';

/** Where sealed texts stay for good; kept answers and queued mail are gone within three days. */
const holders = [
  { table: Prisma.raw('monitors'), column: Prisma.raw('config'), type: Prisma.raw('jsonb') },
  { table: Prisma.raw('monitors'), column: Prisma.raw('ping_token'), type: Prisma.raw('text') },
  { table: Prisma.raw('channels'), column: Prisma.raw('config'), type: Prisma.raw('jsonb') },
] as const;
type Holder = (typeof holders)[number];

/** A text with every sealed part of it that begins with `old` sealed anew. What only looks like one stays. */
function reseal(text: string, old: string): string {
  return text.replace(/v\d+\.[\w-]+\.[\w-]+/g, (part) => {
    try {
      return part.startsWith(old) ? seal(unseal(part)) : part;
    } catch {
      return part;
    }
  });
}

/** The lock keeps an edit that is made meanwhile. Nothing that people see changes, so neither does the row's version. */
function resealRow({ table, column, type }: Holder, id: string, old: string): Promise<number> {
  return db.$transaction(async (tx) => {
    const [row] = await tx.$queryRaw<{ text: string | null }[]>`
      select ${column}::text as text from ${table} where id = ${id} for no key update`;
    if (!row?.text) return 0;
    return tx.$executeRaw`update ${table} set ${column} = ${reseal(row.text, old)}::${type} where id = ${id}`;
  });
}

/** Seals what APP_SECRET_PREVIOUS sealed under APP_SECRET, row by row; a second run finds nothing left. */
export const resealSecrets = defineJob({
  name: 'reseal-secrets',
  schema: z.object({}),
  async run(_payload, { signal }) {
    const old = previousSeal();
    if (!old) return;
    let resealed = 0;
    for (const holder of holders) {
      const { table, column } = holder;
      const rows = await db.$queryRaw<{ id: string }[]>`
        select id from ${table} where strpos(${column}::text, ${old}) > 0 order by id`;
      for (const { id } of rows) {
        signal.throwIfAborted();
        resealed += await resealRow(holder, id, old);
      }
    }
    log.info({ resealed }, 'What APP_SECRET_PREVIOUS sealed is sealed under APP_SECRET');
  },
});

/** Has the secrets sealed anew where there is a previous APP_SECRET; several workers ask for it once. */
export async function queueResealing(): Promise<void> {
  if (previousSeal()) await enqueue(db, resealSecrets, {}, { jobKey: resealSecrets.name });
}
