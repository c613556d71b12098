import { serveTasksWith } from '@/server/api/bounded';
import { renderPageTask } from './status/render-page-task';

/** Every bounded task: the entry point of the threads of `server/platform/bounded/run-bounded.ts`. */
serveTasksWith(renderPageTask);
