import { afterAll } from 'vitest';
import { extraDatabase } from './database';

const { url, drop } = await extraDatabase();
process.env.DATABASE_URL = url;

// Registered first, so it runs after the file's own hooks.
afterAll(async () => {
  const { upwatchDb } = globalThis as { upwatchDb?: { $disconnect: () => Promise<void> } };
  await upwatchDb?.$disconnect();
  await drop();
});
