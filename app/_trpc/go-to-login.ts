/** Sends the browser to the sign-in page, from where it comes back here. The pages for anyone stay as they are. */
export function goToLogin(): void {
  const { pathname, search } = window.location;
  if (pathname === '/login' || pathname === '/signup' || pathname === '/' || pathname.startsWith('/invite/')) return;
  window.location.assign(`/login?next=${encodeURIComponent(pathname + search)}`);
}
