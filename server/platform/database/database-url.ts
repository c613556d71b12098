/** Splits a URL into the part before the hosts, the hosts, and the rest. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is;

/** The accepted values of `target_session_attrs`: those that select a server that accepts writes. */
const WRITABLE = ['read-write', 'primary'];

/**
 * Returns one URL for each host of a database URL, which may list several as in libpq: `postgresql://upwatch@one:5432,two:5432/upwatch`.
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 */
export function urlsOfHosts(databaseUrl: string): string[] {
  const [, before = '', hosts = '', after = ''] = PARTS.exec(databaseUrl) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => before + host + after) : [databaseUrl];
}

function targetOf(databaseUrl: string): string | null {
  return /[?&]target_session_attrs=([^&]*)/.exec(databaseUrl)?.[1] ?? null;
}

/** Whether a URL asks for a session that accepts writes, or does not set `target_session_attrs`. */
export function asksForWrites(databaseUrl: string): boolean {
  const target = targetOf(databaseUrl);
  return target === null || WRITABLE.includes(target);
}

/**
 * Whether a server of this URL may be a standby, so that connections must find the primary: the URL has several hosts, or sets
 * `target_session_attrs`.
 */
export function mayBeStandby(databaseUrl: string): boolean {
  return urlsOfHosts(databaseUrl).length > 1 || targetOf(databaseUrl) !== null;
}
