import { runBounded } from '@/server/platform/bounded/run-bounded';
import { LimitError } from '@/server/platform/bounded/task';
import { env } from '@/server/platform/env';
import { handleRest } from '../rest/handle';
import { shortenTask } from './shorten';
import type { Tool } from './tools';

/** The maximum length of an answer, in characters: more would fill what an assistant can read. */
const MOST_ANSWER = 100_000;

/**
 * The maximum number of values of a query. The server in front has the same limit (scripts/lib/web/refusals.mjs), but this request does not pass it.
 */
const MOST_PARAMETERS = 100;

/** The headers that identify the caller. The request ID stays with the outer request. */
const CALLER = ['authorization', 'user-agent', 'x-upwatch-address'];

export interface ToolAnswer {
  text: string;
  isError: boolean;
}

/** Builds the REST request of a tool call: puts path parameters into the path, and the others into the query of a GET or into the body. */
function toRequest({ operation }: Tool, given: Record<string, unknown>, caller: Headers): Request {
  const { method } = operation;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(given[name] ?? '')),
  );
  const url = new URL(path, env.appUrl);
  const rest = Object.entries(given).filter(([name]) => !Object.hasOwn(operation.input.path, name));
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const name of CALLER) {
    const value = caller.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (method !== 'GET') return new Request(url, { method, headers, body: JSON.stringify(Object.fromEntries(rest)) });
  for (const [name, value] of rest) for (const each of [value].flat()) url.searchParams.append(name, String(each));
  return new Request(url, { method, headers });
}

function refusal(message: string): ToolAnswer {
  return { text: JSON.stringify({ error: { code: 'VALIDATION_ERROR', message } }), isError: true };
}

const ADVICE = 'Ask for less: a smaller limit, or a filter.';

/** Returns the API's answer without omitted fields and with long texts cut; an error if it is still too long. */
async function shortened(answer: ToolAnswer, omits: readonly string[], team: string): Promise<ToolAnswer> {
  try {
    const text = await runBounded(shortenTask, { text: answer.text, omits }, { team });
    if (text.length <= MOST_ANSWER) return { ...answer, text };
    return refusal(`The answer has ${text.length} characters, more than ${MOST_ANSWER}. ${ADVICE}`);
  } catch (error) {
    if (!(error instanceof LimitError)) throw error;
    const fault = error.kind === 'time' ? 'The answer took too long to shorten' : 'The answer is too large';
    return refusal(`${fault}. ${ADVICE}`);
  }
}

/**
 * Calls the operation of a tool as the REST request of the caller, with its permissions and limits.
 * @param caller the headers of the caller's request, and its team
 * @returns the answer of the API as JSON, without long texts
 */
export async function callTool(
  tool: Tool,
  given: Record<string, unknown>,
  { headers, team }: { headers: Headers; team: string },
): Promise<ToolAnswer> {
  const request = toRequest(tool, given, headers);
  if (new URL(request.url).searchParams.size > MOST_PARAMETERS) {
    return refusal(`A call may have at most ${MOST_PARAMETERS} values.`);
  }
  const response = await handleRest(request);
  return shortened({ text: await response.text(), isError: !response.ok }, tool.omits, team);
}
