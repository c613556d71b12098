/** What the server in front of Next (scripts/web.mjs) uses of the application. */
export { noteRequest } from '@/server/platform/request-facts';
export { isKnown } from './is-known';
export { PageGate } from './page-gate';
export { formFor, represent } from './status-server/representation';
