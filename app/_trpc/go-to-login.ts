import { keepDrafts } from '@/app/_components/forms/drafts';

/** One refusal seldom comes alone, and each call anew would break off the way that is being loaded. */
const PATIENCE_MS = 5_000;
let leftAt = Number.NEGATIVE_INFINITY;

/** Sends the browser to the sign-in page, from where it comes back here. The pages for anyone stay as they are. */
export function goToLogin(): void {
  const { pathname, search } = window.location;
  if (pathname === '/login' || pathname === '/signup' || pathname === '/' || pathname.startsWith('/invite/')) return;
  if (performance.now() - leftAt < PATIENCE_MS) return;
  leftAt = performance.now();
  keepDrafts();
  window.location.assign(`/login?next=${encodeURIComponent(pathname + search)}`);
}
