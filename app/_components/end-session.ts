/** Ends the session of this browser. Loads the client of the sign-in, which few page views need. */
export async function endSession(): Promise<void> {
  const { signOut } = await import('next-auth/react');
  await signOut({ redirect: false });
}
