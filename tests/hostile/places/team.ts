/** A team of a started product, with the credentials of its owner. */
export interface Team {
  url: string;
  teamId: string;
  userId: string;
  /** An API key that may read and write. */
  key: string;
  /** The owner's access token. */
  token: string;
  /**
   * Calls the REST API, by default with the key.
   * @throws Error for a status other than 2xx
   */
  call<Result>(method: string, path: string, body?: unknown, token?: string): Promise<Result>;
}

interface SignedUp {
  accessToken: string;
  teamId: string;
  user: { id: string };
}

/** Creates an account with a team. */
export async function signUp(url: string, name: string): Promise<Team> {
  async function call<Result>(method: string, path: string, body: unknown, token: string): Promise<Result> {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(url + path, { method, headers, ...sent });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
    return JSON.parse(text) as Result;
  }
  const account = { email: `${name}@example.test`, password: 'nine unlikely words in a row' };
  const { accessToken: token, teamId, user } = await call<SignedUp>('POST', '/auth/signup', account, '');
  const scopes = ['read', 'write'];
  const { secret: key } = await call<{ secret: string }>('POST', '/dashboard/api-keys', { name, scopes }, token);
  return {
    url,
    teamId,
    key,
    token,
    userId: user.id,
    call: (method, path, body, credential = key) => call(method, path, body, credential),
  };
}
