/** Signs in as the dashboard does. @returns the Cookie header of the session */
export async function signIn(url: string, person: { email: string; password: string }): Promise<string> {
  const cookiesOf = (response: Response) => response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const csrf = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const signedIn = await fetch(`${url}/api/auth/callback/credentials`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookiesOf(csrf).join('; '), origin: url },
    body: new URLSearchParams({ ...person, csrfToken, json: 'true' }),
  });
  return cookiesOf(signedIn).join('; ');
}
