/** Before the hosts, the hosts, and what follows them. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is;

/** The values of `target_session_attrs` that lead to a server that accepts writes; nothing else is of use. */
const WRITABLE = ['read-write', 'primary'];

/**
 * One URL for each host of a database URL, which may list several as in libpq: `postgresql://upwatch@one:5432,two:5432/upwatch`.
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 */
export function urlsOfHosts(databaseUrl: string): string[] {
  const [, before = '', hosts = '', after = ''] = PARTS.exec(databaseUrl) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => before + host + after) : [databaseUrl];
}

function targetOf(databaseUrl: string): string | null {
  return /[?&]target_session_attrs=([^&]*)/.exec(databaseUrl)?.[1] ?? null;
}

/** Whether the session that a URL asks for, if it says so, is one that accepts writes. */
export function asksForWrites(databaseUrl: string): boolean {
  const target = targetOf(databaseUrl);
  return target === null || WRITABLE.includes(target);
}

/** Whether a server of this URL may be a standby, so that connections must find the primary: it has several hosts, or says so. */
export function mayBeStandby(databaseUrl: string): boolean {
  return urlsOfHosts(databaseUrl).length > 1 || targetOf(databaseUrl) !== null;
}
