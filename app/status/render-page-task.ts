import { defineTask } from '@/server/api/bounded';
import type { PublicStatusPage } from '@/server/status-pages/schema';
import type { Delay } from './_components/overall';
import { type AssetAddresses, renderPage } from './render';

/** Up to this number of components, incidents and updates, a page is rendered at once. Each takes about 0.4 ms. */
const MOST_AT_ONCE = 40;

interface Input {
  page: PublicStatusPage;
  addresses: AssetAddresses;
  delay: Delay | null;
}

function sizeOf({ components, openIncidents, pastIncidents, maintenances }: PublicStatusPage): number {
  const incidents = [...openIncidents, ...pastIncidents];
  return components.length + maintenances.length + incidents.reduce((sum, { updates }) => sum + 1 + updates.length, 0);
}

/** Renders a public status page. A page of 500 monitors takes 0.3 s. */
export const renderPageTask = defineTask({
  name: 'render-status-page',
  run: ({ page, addresses, delay }: Input): string => renderPage(page, addresses, delay),
  budgetMs: 5_000,
  maxInputBytes: 16 * 1024 * 1024,
  maxOutputBytes: 32 * 1024 * 1024,
  isSmall: ({ page }) => sizeOf(page) <= MOST_AT_ONCE,
});
