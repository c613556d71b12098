import { env } from '@/server/platform/env';
import { handleRest } from '../rest/handle';
import type { Tool } from './tools';

/** Longer texts of an answer, such as the bodies of responses, are cut. */
const MOST_TEXT = 2_000;
/** The maximum length of an answer, in characters: more would fill what an assistant can read. */
const MOST_ANSWER = 100_000;

/** As many parameters as a query may have (scripts/lib/web/refusals.mjs), which this request does not pass. */
const MOST_PARAMETERS = 100;

/** What tells the API who calls. The request ID stays with the outer request. */
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

const errorText = (message: string) => JSON.stringify({ error: { code: 'VALIDATION_ERROR', message } });

function shorten(text: string, omits: ReadonlySet<string>): string {
  const short = JSON.stringify(
    JSON.parse(text, (name, value: unknown) => {
      if (omits.has(name)) return undefined;
      if (typeof value !== 'string' || value.length <= MOST_TEXT) return value;
      return `${value.slice(0, MOST_TEXT)}… (${value.length - MOST_TEXT} more characters)`;
    }),
  );
  if (short.length <= MOST_ANSWER) return short;
  return errorText(
    `The answer has ${short.length} characters, more than ${MOST_ANSWER}. Ask for less: a smaller limit, or a filter.`,
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
    return { text: errorText(`A call may have at most ${MOST_PARAMETERS} values.`), isError: true };
  }
  const response = await handleRest(request);
  const text = shorten(await response.text(), tool.omits);
  return { text, isError: !response.ok || text.startsWith('{"error"') };
}
