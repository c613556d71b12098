/** The exports of the application for the server in front of Next (scripts/web.mjs). */
export { networkOf } from '@/server/platform/caller-network';
export { exitCodeOf, isRefusal, untilUsable } from '@/server/platform/database/until-usable';
export { env } from '@/server/platform/env';
export { noteRequest } from '@/server/platform/request-facts';
export { TokenBuckets } from '@/server/platform/token-buckets';
export { CallGate } from './call-gate';
export { isKnown } from './is-known';
export { liveness } from './liveness';
export { PageGate } from './page-gate';
export { noteConnection } from './request-turns';
export { formFor, represent } from './status-server/representation';
