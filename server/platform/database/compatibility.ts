import { OwnError } from '../own-error';
import { withClient } from './short-client';

/**
 * The compatibility version of this code. Raise it with a change that processes of the former version cannot work beside: a job's payload, a
 * message's payload, or columns and enum values that claims, results or deliveries use. Leave it for additions that the former version ignores: both
 * then work side by side, as in a rolling upgrade. The database stores the highest version that has migrated it, and rejects claims of lower ones
 * (trigger `assert_compatible`).
 */
export const COMPATIBILITY = 6;

/** A newer version has migrated the database; one displayable line. */
export class OutdatedError extends OwnError {
  static override readonly kind: string = 'OutdatedError';

  constructor(required: number) {
    super(
      `A newer version of Upwatch has migrated the database: it requires compatibility version ${required}, and this process has ${COMPATIBILITY}. Start the newer version.`,
    );
  }
}

/** The SQL expression that announces the version of a session. A session without it counts as version 0. */
export const ANNOUNCE = `set_config('upwatch.compatibility', '${COMPATIBILITY}', false)`;

/**
 * Verifies that this process may take work from the database.
 * @throws OutdatedError if a newer version has migrated the database
 */
export async function assertCompatible(databaseUrl: string): Promise<void> {
  const [row] = await withClient(databaseUrl, async (client) => {
    return (await client.query<{ version: number }>('select version from compatibility')).rows;
  });
  const required = row?.version ?? 0;
  if (required > COMPATIBILITY) throw new OutdatedError(required);
}
