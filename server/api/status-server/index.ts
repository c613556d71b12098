import type { IncomingMessage, ServerResponse } from 'node:http';
import { log } from '@/server/platform/log';
import { followChanges, snapshots } from '@/server/status-pages/snapshots/snapshots';
import type { StatusRenderer } from './renderer';
import { StatusServer } from './server';

/** The interface between the web process (scripts/web.mjs) and the application, which is bundled separately. */
export interface StatusShared {
  /** Set by the web process before the application starts. */
  upwatchStatusRenderer?: StatusRenderer;
  /** Set by the application: answers requests to `/status/`. */
  upwatchAnswerStatus?: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

const shared = globalThis as StatusShared;

/** Registers the handler for `/status/` with the web process, and follows changes. Does nothing without a web process, for example during a build. */
export function serveStatusPages(): void {
  const { upwatchStatusRenderer: renderer } = shared;
  if (!renderer) return;
  const server = new StatusServer(snapshots(), renderer);
  shared.upwatchAnswerStatus = (request, response) => server.answer(request, response);
  followChanges().catch((error) => log.error({ err: error }, 'Status page changes cannot be received'));
}
