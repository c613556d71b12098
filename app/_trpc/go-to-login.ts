import { keepDrafts } from '@/app/_components/forms/drafts';

/** Several requests often fail at once. Navigating again would cancel the running navigation. */
const PATIENCE_MS = 5_000;
let leftAt = Number.NEGATIVE_INFINITY;

/** Opens the sign-in page, which returns to the current page. Public pages stay open. */
export function goToLogin(): void {
  const { pathname, search } = window.location;
  if (pathname === '/login' || pathname === '/signup' || pathname === '/' || pathname.startsWith('/invite/')) return;
  if (performance.now() - leftAt < PATIENCE_MS) return;
  leftAt = performance.now();
  keepDrafts();
  window.location.assign(`/login?next=${encodeURIComponent(pathname + search)}`);
}
