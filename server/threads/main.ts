import { compileTask } from '@/server/checks/evaluation/assert-expressions';
import { evaluateTask, explainTask } from '@/server/checks/evaluation/tasks';
import { serveTasks } from '@/server/platform/bounded/serve-tasks';
import { maskTask } from '@/server/platform/masking/mask-task';
import { renderMarkdownTask } from '@/server/text/render-markdown';

/** Every bounded task: the entry point of the threads of `platform/bounded/run-bounded.ts`. */
serveTasks([compileTask, evaluateTask, explainTask, maskTask, renderMarkdownTask]);
