import { readFileTask } from '@/server/imports/read-file-task';
import { compileTask } from '@/server/monitor-types/evaluation/assert-expressions';
import { evaluateTask, explainTask } from '@/server/monitor-types/evaluation/tasks';
import { judgeStepTask } from '@/server/monitor-types/multistep/judge-task';
import { maskTask } from '@/server/platform/masking/mask-task';
import { renderMarkdownTask } from '@/server/text/render-markdown';

/** The server's bounded tasks. `app/threads.ts` adds those of the pages. */
export const tasks = [
  compileTask,
  evaluateTask,
  explainTask,
  judgeStepTask,
  maskTask,
  readFileTask,
  renderMarkdownTask,
];
