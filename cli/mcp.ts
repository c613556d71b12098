import { once } from 'node:events';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ApiOptions } from './api';

/**
 * Serves the Model Context Protocol over standard input and output, and passes each request on to the instance, which has the tools.
 * @returns once the assistant closed its end
 * @throws Error if the instance does not answer, or refuses the key
 */
export async function serveAssistant(
  { url, key }: ApiOptions,
  { allowsChanges }: { allowsChanges: boolean },
): Promise<void> {
  const endpoint = new URL('api/mcp', url.endsWith('/') ? url : `${url}/`);
  if (allowsChanges) endpoint.searchParams.set('changes', 'true');
  const client = new Client({ name: 'upwatch', version: '1.0.0' });
  const headers = { authorization: `Bearer ${key}` };
  // Rejects redirects, so that the key is sent nowhere else.
  await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit: { headers, redirect: 'error' } }));
  const instructions = client.getInstructions();
  serveStdio(() => {
    const server = new Server(
      { name: 'upwatch', version: '1.0.0' },
      { capabilities: { tools: {} }, ...(instructions !== undefined && { instructions }) },
    );
    server.setRequestHandler('tools/list', () => client.listTools());
    server.setRequestHandler('tools/call', ({ params }) => client.callTool(params));
    return server;
  });
  await once(process.stdin, 'end');
  await client.close();
}
