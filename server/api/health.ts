import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { databaseNow } from '@/server/platform/database-now';
import { env } from '@/server/platform/env';
import { AppError, diskFull, unavailable } from '@/server/platform/errors';
import { log } from '@/server/platform/log';
import { logFailure, setErrorHeaders, toEnvelope } from '@/server/trpc/error-table';
import { isDatabaseFull } from './listening';
import { liveness } from './liveness';

const headers = { 'cache-control': 'no-store' };

/** Answers `/api/health`. In production, the server in front of Next does so (scripts/lib/web/constant-answers.mjs). */
export function health(): Response {
  return Response.json(liveness, { headers });
}

/** The free space that the embedded database needs for its next segment of the write-ahead log. */
const ROOM_BYTES = 20 * 1024 * 1024;

/**
 * Verifies that the database has room to write.
 * @throws AppError UNAVAILABLE
 */
async function assertRoom(): Promise<void> {
  if (isDatabaseFull()) throw diskFull();
  // Null without an embedded database.
  const room = await statfs(path.join(/* turbopackIgnore: true */ env.dataDir, 'postgres')).catch(() => null);
  if (room && room.bavail * room.bsize < ROOM_BYTES) throw diskFull();
}

/** Answers `/api/ready`: 200 if this process reaches the database and that has room to write; UNAVAILABLE otherwise. */
export async function ready(): Promise<Response> {
  try {
    await assertRoom();
    await databaseNow();
    return Response.json({ status: 'ready' }, { headers });
  } catch (error) {
    const failure = error instanceof AppError ? error : unavailable(error);
    logFailure(log, failure, {}, 'Not ready');
    const answer = new Headers(headers);
    setErrorHeaders(failure, answer);
    return Response.json({ error: toEnvelope(failure) }, { status: 503, headers: answer });
  }
}
