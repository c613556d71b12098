import type pg from 'pg';
import { keyIdOf } from '../crypto';
import { OwnError } from '../own-error';
import { withClient } from './short-client';

/** The error for a process that may not use this database with its APP_SECRET; one displayable line. */
export class AppSecretError extends OwnError {
  static override readonly kind: string = 'AppSecretError';
}

/** A process's APP_SECRET, and the APP_SECRET_PREVIOUS that it replaces. */
export interface Secrets {
  present: string;
  previous?: string | undefined;
  /** Where the secret comes from, for the error. */
  source?: string;
}

function refusal({ source = 'APP_SECRET' }: Secrets): AppSecretError {
  return new AppSecretError(
    `${source} is not the secret that this database was set up with: set APP_SECRET to the one that its other machines use, or rotate it (docs/operations.md, "Rotate APP_SECRET").`,
  );
}

async function read(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ fingerprint: string }>('select fingerprint from app_secret where id = 1');
  return rows[0]?.fingerprint ?? null;
}

/** Returns the stored fingerprint; null if there is none yet, because the database is new or of an earlier version. */
export function readFingerprint(databaseUrl: string): Promise<string | null> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ exists: boolean }>(`select to_regclass('app_secret') is not null as exists`);
    return rows[0]?.exists ? read(client) : null;
  });
}

/** @throws AppSecretError if neither the current nor the previous secret has this fingerprint */
export function assertFits(fingerprint: string, secrets: Secrets): void {
  const { present, previous } = secrets;
  if (fingerprint === keyIdOf(present) || (previous && fingerprint === keyIdOf(previous))) return;
  throw refusal(secrets);
}

/**
 * Ensures that all processes of a migrated database have one APP_SECRET. The first process stores its fingerprint. If the stored one is that of this
 * process's previous secret, it is replaced by the current one (rotation).
 * @throws AppSecretError if the database was set up with another secret
 */
export function claimSecret(databaseUrl: string, secrets: Secrets): Promise<void> {
  const own = keyIdOf(secrets.present);
  return withClient(databaseUrl, async (client) => {
    await client.query('insert into app_secret (id, fingerprint) values (1, $1) on conflict (id) do nothing', [own]);
    if (secrets.previous) {
      await client.query('update app_secret set fingerprint = $1, set_at = now() where id = 1 and fingerprint = $2', [
        own,
        keyIdOf(secrets.previous),
      ]);
    }
    if ((await read(client)) !== own) throw refusal(secrets);
  });
}
