/** The result of a sign-in: done, wrong credentials, or a message about another failure. */
export type SignInResult = { kind: 'done' } | { kind: 'wrong' } | { kind: 'failed'; message: string };

const failed = (message: string): SignInResult => ({ kind: 'failed', message });

const load = () => import('next-auth/react');

/** Loads the client of the sign-in before it is needed: a form must not end sessions and then be unable to begin one. */
export const prepareSignIn = () => void load().catch(() => undefined);

/** Signs in with email and password. After `done`, the browser has its session cookie. */
export async function signInWithPassword(email: string, password: string): Promise<SignInResult> {
  const unreachable = failed('Upwatch did not respond. Try again in a moment.');
  try {
    const { signIn } = await load();
    const result = await signIn('credentials', { redirect: false, email, password });
    if (!result) return unreachable;
    if (result.ok && !result.error) return { kind: 'done' };
    if (result.error === 'CredentialsSignin') return { kind: 'wrong' };
    if (result.error === 'RATE_LIMITED') return failed('Too many attempts. Wait a few minutes, then try again.');
    if (result.error === 'UNAVAILABLE') return failed('Upwatch cannot reach its database. Try again in a moment.');
    return failed('Sign-in failed because of a server error. Try again in a moment.');
  } catch {
    return unreachable;
  }
}
