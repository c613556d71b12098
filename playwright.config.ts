import { availableParallelism } from 'node:os';
import { defineConfig } from 'playwright/test';

// What a browser needs in a container, and what it must not do there: talk to anyone but the product.
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const report = process.env.E2E_REPORT;

/** The tests of notifications, which only a browser with a window shows. */
const NOTIFICATIONS = '**/browser-push.spec.ts';
const using = (executablePath = '') => ({ launchOptions: { args, ...(executablePath && { executablePath }) } });

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/support/prepare-data.ts',
  outputDir: 'test-results',
  forbidOnly: Boolean(process.env.CI),
  // Each runs a product of its own. With three of them, two cores are overloaded at the start, and tests time out.
  workers: Math.max(2, Math.floor(availableParallelism() / 2)),
  // A machine that stalls for a moment is no failure of the product; what passed the second time is reported as flaky.
  retries: process.env.CI ? 2 : 0,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: report ? [['list'], ['json', { outputFile: report }]] : [['list']],
  projects: [
    { name: 'pages', testIgnore: NOTIFICATIONS, use: using(process.env.HEADLESS_SHELL || process.env.BROWSER) },
    { name: 'notifications', testMatch: NOTIFICATIONS, use: using(process.env.BROWSER) },
  ],
  use: {
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    // A trace takes more CPU than the test itself, so it is recorded only on request: `npx playwright test --trace on`.
    screenshot: 'only-on-failure',
    // Animations that never end take a tenth of a core on every open page.
    contextOptions: { reducedMotion: 'reduce' },
  },
});
