import type { IncomingMessage, ServerResponse } from 'node:http';
import { log } from '@/server/platform/log';
import { followChanges, snapshots } from '@/server/status-pages/snapshots';
import type { StatusRenderer } from './renderer';
import { StatusServer } from './server';

/** What the web process (scripts/web.mjs) and the application, which is bundled apart from it, give each other. */
export interface StatusShared {
  /** Given by the web process before the application starts. */
  upwatchStatusRenderer?: StatusRenderer;
  /** Given by the application: answers what begins with `/status/`. */
  upwatchAnswerStatus?: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

const shared = globalThis as StatusShared;

/** Lets the web process answer what is under `/status/`; does nothing where there is none, as while building. */
export function serveStatusPages(): void {
  const { upwatchStatusRenderer: renderer } = shared;
  if (!renderer) return;
  const server = new StatusServer(snapshots(), renderer);
  shared.upwatchAnswerStatus = (request, response) => server.answer(request, response);
  followChanges().catch((error) => log.error({ err: error }, 'Status page changes cannot be received'));
}
