import { test as base } from 'playwright/test';
import { type Product, startProduct } from './product';

/**
 * Tests with a started product that is shared by the files of a Playwright worker: each file has its own accounts. After a failure, the worker and its
 * product are new. A file that needs other settings, the first account, or a start of its own, starts a product itself.
 */
export const test = base.extend<object, { sharedProduct: Product }>({
  sharedProduct: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies of a fixture from this pattern.
    async ({}, use) => {
      const product = await startProduct({ env: { ALLOW_PRIVATE_TARGETS: 'true', AUTH_RATE_LIMIT_PER_MINUTE: '0' } });
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});
