import { expect, test } from 'playwright/test';
import { pageWeights } from '@/scripts/lib/build/page-weights.mjs';

// What each page loads at first, in kilobytes of scripts compressed by gzip; 136 of them are an empty page. A page that grows over its limit loads
// something that it does not need at first: see "Weight of pages" in docs/architecture.md.

/** Of a page without an entry below. */
const MOST = 215;

const MORE: Record<string, number> = {
  'settings/account': 232,
  'settings/team': 229,
  monitors: 254,
  'monitors/[id]': 251,
  incidents: 236,
  'incidents/[id]': 245,
  reports: 250,
  maintenance: 252,
  'monitors/import': 256,
  'instance/users/[userId]': 263,
  'incidents/new': 267,
  team: 267,
  'maintenance/new': 270,
  'maintenance/[id]': 273,
  'settings/agents': 272,
  'settings/api-keys': 268,
  'on-call/schedules/new': 270,
  'on-call/schedules/[id]/edit': 270,
  'on-call/escalation-policies/new': 276,
  'on-call/escalation-policies/[id]': 276,
  'status-pages/new': 270,
  'status-pages/[id]': 274,
  // With the definitions of all kinds of channels.
  channels: 261,
  'channels/new': 284,
  'channels/[id]': 296,
  'settings/contact-methods': 285,
  // With the definitions of all types of monitors.
  'monitors/new/urls': 348,
  'monitors/new': 362,
  'monitors/[id]/edit': 366,
};

/** The path of a page: "monitors/[id]". */
const pathOf = (file: string) =>
  file
    .split('/')
    .filter((part) => !part.startsWith('('))
    .slice(0, -1)
    .join('/');

test('no page loads more scripts than its limit', () => {
  const weights = [...pageWeights('.next')].map(([file, bytes]) => ({ path: pathOf(file), weight: bytes / 1000 }));
  expect(weights.length).toBeGreaterThan(50);
  expect(weights.filter(({ path, weight }) => weight > (MORE[path] ?? MOST))).toEqual([]);
});
