import { serveTasks } from '@/server/platform/bounded/serve-tasks';
import type { BoundedTask } from '@/server/platform/bounded/task';
import { tasks } from '@/server/threads/tasks';
import { shortenTask } from './mcp/shorten';

export { runBounded } from '@/server/platform/bounded/run-bounded';
export { defineTask } from '@/server/platform/bounded/task';

/** Serves the bounded tasks of the server, that of assistants and that of the pages, in this thread. */
export function serveTasksWith<Input, Output>(ofPages: BoundedTask<Input, Output>): void {
  serveTasks([...tasks, shortenTask, ofPages]);
}
