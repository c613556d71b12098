import { serveTasksWith } from '@/server/api/bounded';
import { renderPageTask } from './status/render-page-task';

/** The entry point of the threads for bounded tasks (`server/platform/bounded/run-bounded.ts`). */
serveTasksWith(renderPageTask);
