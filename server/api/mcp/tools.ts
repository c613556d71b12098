import { z } from 'zod';
import { MonitorType } from '@/server/monitor-lists/schema';
import { operationDocs } from '../openapi/operation-docs';
import { type Operation, operations } from '../rest/operations';

interface Choice {
  /** The procedure of the operation. */
  procedure: string;
  /** The input of the tool, if the procedure's own is a union of many objects. */
  input?: z.ZodObject;
  /** Fields that are left out of the answer, because only a page draws them. */
  omits?: string[];
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  /** JSON Schema of an object. */
  inputSchema: { type: 'object'; [keyword: string]: unknown };
  isRead: boolean;
  operation: Operation;
  omits: readonly string[];
}

/** The tools that change nothing, by name. */
const reads: Record<string, Choice> = {
  list_monitors: { procedure: 'monitors.overview', omits: ['strip'] },
  get_monitor: { procedure: 'monitors.detail', omits: ['days'] },
  get_uptime: { procedure: 'monitors.uptime' },
  get_latency: { procedure: 'monitors.latency' },
  list_checks: { procedure: 'monitors.checks' },
  list_incidents: { procedure: 'incidents.page' },
  get_incident: { procedure: 'incidents.detail' },
  get_incident_evidence: { procedure: 'incidents.evidence' },
  who_is_on_call: { procedure: 'onCall.now' },
  list_maintenance: { procedure: 'maintenance.occurrences' },
};

/** The tools that change something. An assistant gets them only if it was connected with changes allowed. */
const changes: Record<string, Choice> = {
  acknowledge_incident: { procedure: 'incidents.acknowledge' },
  resolve_incident: { procedure: 'incidents.resolve' },
  add_incident_update: { procedure: 'incidents.addUpdate' },
  check_monitor: { procedure: 'monitors.check' },
  create_incident: { procedure: 'incidents.create' },
  start_maintenance: { procedure: 'maintenance.start' },
  create_monitor: {
    procedure: 'monitors.create',
    input: z.object({
      type: MonitorType,
      name: z.string(),
      config: z.record(z.string(), z.unknown()).meta({
        description:
          'The settings of the type, such as { "url": "https://example.com/" } for http. An error names what is missing.',
      }),
      intervalSeconds: z.int().optional(),
      tags: z.array(z.string()).optional(),
    }),
  },
};

function toTool(name: string, { procedure, input, omits = [] }: Choice, isRead: boolean): Tool {
  const operation = operations.find((each) => each.name === procedure && each.isMain);
  const doc = operationDocs[procedure];
  if (!operation || !doc) throw new Error(`There is no operation ${procedure}.`);
  const { summary } = (operation.procedure._def.meta as { openapi: { summary: string } }).openapi;
  const schema = input ?? (operation.procedure._def.inputs[0] as z.ZodType | undefined) ?? z.object({});
  const inputSchema = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  if (inputSchema.type !== 'object') throw new Error(`The input of ${name} is not an object.`);
  const description = doc.description === '' ? `${summary}.` : `${summary}. ${doc.description}`;
  return {
    name,
    title: summary,
    description,
    inputSchema: { ...inputSchema, type: 'object' },
    isRead,
    operation,
    omits,
  };
}

/** The tools of assistants. Each is an operation of the public API, with its description. */
export const tools: Tool[] = [
  ...Object.entries(reads).map(([name, choice]) => toTool(name, choice, true)),
  ...Object.entries(changes).map(([name, choice]) => toTool(name, choice, false)),
];
