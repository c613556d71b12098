// What the operator commands of the command line use. Bundled, and loaded by scripts/lib/operate.mjs.
export { backup } from '@/server/platform/backup/backup';
export { restore } from '@/server/platform/backup/restore';
export { env, variablesIn } from '@/server/platform/env';
export { createDemoAccount, deleteDemoAccount, disconnect } from './demo-account';
export { examine } from './doctor/examine';
