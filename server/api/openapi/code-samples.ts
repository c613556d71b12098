import type { OperationDoc } from '@/server/trpc/operation-doc';
import type { OperationObject } from './types';

const ULID = '01KANYZ0Y6Q8W2T4V9B3C5D7E1';

/** Returns a path with the parameters of its example. */
function examplePath(path: string, params: OperationDoc['params'] = {}): string {
  return path.replace(/\{([^}]*)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ULID));
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function curl(method: string, url: string, credential: string | null, body: unknown): string {
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} '${url}'`];
  if (credential) lines.push(`-H "authorization: Bearer $${credential}"`);
  if (body !== undefined) {
    lines.push(`-H 'content-type: application/json'`, `-d ${shellQuoted(JSON.stringify(body, null, 2))}`);
  }
  return lines.join(' \\\n  ');
}

function javascript(method: string, url: string, credential: string | null, body: unknown, gives: string): string {
  const headers = [
    ...(credential ? [`    authorization: \`Bearer \${process.env.${credential}}\`,`] : []),
    ...(body === undefined ? [] : [`    'content-type': 'application/json',`]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(body === undefined
      ? []
      : [`  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`]),
  ];
  const call = options.length > 0 ? `fetch('${url}', {\n${options.join('\n')}\n})` : `fetch('${url}')`;
  return `const response = await ${call};
if (!response.ok) throw new Error((await response.json()).error.message);
const { ${gives} } = await response.json();`;
}

/** Returns the example of an operation with curl, and with JavaScript for Node and browsers. */
export function codeSamples(
  server: string,
  path: string,
  method: string,
  doc: OperationDoc,
): NonNullable<OperationObject['x-code-samples']> {
  const url = server + examplePath(path, doc.params);
  const isOpen = path.startsWith('/auth/');
  const credential = path.startsWith('/api/v1/') ? 'UPWATCH_KEY' : isOpen ? null : 'UPWATCH_ACCESS_TOKEN';
  const gives = Object.keys(doc.answer).join(', ');
  return [
    { lang: 'Shell', label: 'curl', source: curl(method, url, credential, doc.body) },
    { lang: 'JavaScript', label: 'JavaScript', source: javascript(method, url, credential, doc.body, gives) },
  ];
}

/** Returns the examples of an operation that responds with text. */
export function textSamples(url: string): NonNullable<OperationObject['x-code-samples']> {
  const source = `const response = await fetch('${url}', {
  headers: {
    authorization: \`Bearer \${process.env.UPWATCH_KEY}\`,
  },
});
const text = await response.text();`;
  return [
    { lang: 'Shell', label: 'curl', source: curl('GET', url, 'UPWATCH_KEY', undefined) },
    { lang: 'JavaScript', label: 'JavaScript', source },
  ];
}
