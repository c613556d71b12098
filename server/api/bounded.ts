import { serveTasks } from '@/server/platform/bounded/serve-tasks';
import type { BoundedTask } from '@/server/platform/bounded/task';
import { tasks } from '@/server/threads/tasks';

export { runBounded } from '@/server/platform/bounded/run-bounded';
export { defineTask } from '@/server/platform/bounded/task';

/** Serves the bounded tasks of the server, and the one of the pages, in this thread. */
export function serveTasksWith<Input, Output>(ofPages: BoundedTask<Input, Output>): void {
  serveTasks([...tasks, ofPages]);
}
