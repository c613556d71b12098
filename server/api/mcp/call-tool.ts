import { env } from '@/server/platform/env';
import { handleRest } from '../rest/handle';
import type { Tool } from './tools';

/** Longer texts of an answer, such as the bodies of responses, are cut. */
const MOST_TEXT = 2_000;
/** The maximum length of an answer, in characters: more would fill what an assistant can read. */
const MOST_ANSWER = 100_000;

/** The limit of the server in front (scripts/lib/web/refusals.mjs) for queries, which this request does not pass. */
const MOST_PARAMETERS = 100;

/** The headers that say who calls. The request ID stays with the outer request. */
const CALLER = ['authorization', 'user-agent', 'x-upwatch-address'];

export interface ToolAnswer {
  text: string;
  isError: boolean;
}

/** The REST request of a tool call: parameters of the path in its path, the others in the query of a GET or in the body. */
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

/** The answer of the API without long texts and omitted fields; an error if it is still too long. */
function shorten(answer: ToolAnswer, omits: ReadonlySet<string>): ToolAnswer {
  const text = JSON.stringify(
    JSON.parse(answer.text, (name, value: unknown) => {
      if (omits.has(name)) return undefined;
      if (typeof value !== 'string' || value.length <= MOST_TEXT) return value;
      return `${value.slice(0, MOST_TEXT)}… (${value.length - MOST_TEXT} more characters)`;
    }),
  );
  if (text.length <= MOST_ANSWER) return { ...answer, text };
  return refusal(
    `The answer has ${text.length} characters, more than ${MOST_ANSWER}. Ask for less: a smaller limit, or a filter.`,
  );
}

/**
 * Calls the operation of a tool as the REST request of the caller, with its permissions and limits.
 * @param caller the headers of the caller's request
 * @returns the answer of the API as JSON, without long texts
 */
export async function callTool(tool: Tool, given: Record<string, unknown>, caller: Headers): Promise<ToolAnswer> {
  const request = toRequest(tool, given, caller);
  if (new URL(request.url).searchParams.size > MOST_PARAMETERS) {
    return refusal(`A call may have at most ${MOST_PARAMETERS} values.`);
  }
  const response = await handleRest(request);
  return shorten({ text: await response.text(), isError: !response.ok }, tool.omits);
}
