import { version } from '@/server/platform/version';

/** The response of /api/health: this process is running, and which version it is. */
export const liveness = { status: 'ok', version };
