import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { createRenderer } from '@/app/status/bundle';
import { renderPage } from '@/app/status/render';
import { component, incident, page } from '@/tests/unit/status-pages/pages';

const none = new Uint8Array();
const addresses = {
  style: '/status/assets/status-e3b0c44298.css',
  script: '/status/assets/status-e3b0c44298.js',
  font: '/status/assets/geist.woff2',
};

const large = page({
  components: Array.from({ length: 500 }, (_, n) => component({ id: `c${n}`.padEnd(32, '0'), name: `Service ${n}` })),
  openIncidents: [incident()],
});

/** How long this thread computed. */
async function busyMs(work: () => Promise<unknown>): Promise<number> {
  const before = performance.eventLoopUtilization();
  await work();
  return performance.eventLoopUtilization(before).active;
}

/** The least of three, because the time includes that of other programs. */
async function leastBusyMs(work: () => Promise<unknown>): Promise<number> {
  return Math.min(await busyMs(work), await busyMs(work), await busyMs(work));
}

describe('a status page of 500 components', () => {
  it('is rendered in another thread, to the same HTML', async () => {
    const renderer = createRenderer({ style: none, script: none, font: none });
    const html = await renderer.page(large, null, 'team');
    expect(html).toBe(renderPage(large, addresses, null));
    const here = await leastBusyMs(async () => renderPage(large, addresses, null));
    const apart = await leastBusyMs(() => renderer.page(large, null, 'team'));
    expect(apart).toBeLessThan(here / 2);
  }, 60_000);
});
