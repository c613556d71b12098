import { z } from 'zod';
import { StrictLine } from '@/server/text/schema';
import { suggestName, withoutScheme } from '../address';
import { SpeedConfirm } from '../config/confirm';
import { degradedFields, saveResponseBodyField } from '../config/form-fields';
import { Headers } from '../config/headers';
import { SaveResponseBody } from '../config/save-response-body';
import { hostHeaders, originOf, urlText } from '../config/stored-url';
import type { Endpoint, Expression, TypeDefinition } from '../definition';
import { HttpConfig, HttpUrl } from '../http/definition';
import { assertionExpressions } from '../http/expressions';
import { beginsWithVariable, exampleOf, isServerVariable, serverOf, VARIABLE_NAME, variablesIn } from './template';

/** The maximum numbers in a monitor. */
const MOST_STEPS = 10;
const MOST_VARIABLES = 20;
const MOST_EXTRACTIONS = 20;
const MOST_RULES = 50;

const VariableName = z
  .string()
  .regex(VARIABLE_NAME, 'A name starts with a letter and has up to 64 letters, digits and underscores.');

/** A value that a step takes from its response, for later steps. */
export const Extraction = z
  .strictObject({
    name: VariableName,
    from: z.enum(['json', 'header', 'body']).default('json').meta({
      description: '`json`: the first value at a JSONPath. `header`: a header. `body`: the first match of a pattern.',
    }),
    expression: z.string().min(1, 'Required.').max(512).meta({
      description:
        'The JSONPath (RFC 9535), the name of the header, or the regular expression (RE2); of a pattern with groups, the first group counts.',
    }),
  })
  .meta({ description: 'A value of the response. It is a secret: evidence shows it masked.' });
export type Extraction = z.infer<typeof Extraction>;

/**
 * Parsers also accept other spellings, such as "https:/host" and line breaks between the slashes. With those, the start of the text would not tell
 * which server it names.
 */
const PLAIN_START = /^https?:\/\/[^/\\?#\s][^\\\t\r\n]*$/i;

/** An http or https URL that may contain variables. */
const StepUrl = z
  .string()
  .trim()
  .max(2048, { abort: true })
  .superRefine((text, ctx) => {
    if (beginsWithVariable(text)) return;
    const example = exampleOf(text);
    const fault = HttpUrl.safeParse(example).error?.issues[0]?.message;
    const isPlain = PLAIN_START.test(example);
    const message = fault ?? (isPlain ? null : 'Enter a complete URL that starts with https:// or http://.');
    if (message !== null) ctx.addIssue({ code: 'custom', message });
  });

const { method, expectedStatus, assertions, followRedirects } = HttpConfig.shape;

/** One request, what its response must be like, and the values that later steps use. */
export const Step = z.strictObject({
  name: StrictLine.min(1, 'Enter a name.').max(60, 'Use at most 60 characters.'),
  url: StepUrl,
  method,
  headers: Headers,
  body: z.string().max(60_000).optional(),
  expectedStatus,
  followRedirects,
  assertions,
  extract: z.array(Extraction).max(MOST_EXTRACTIONS, `Use at most ${MOST_EXTRACTIONS} values.`).default([]),
});
export type Step = z.infer<typeof Step>;

const Variables = z
  .record(VariableName, z.string().min(1, 'Required.').max(4096), {
    error: ({ code }) => (code === 'invalid_key' ? 'Enter a name of letters, digits and underscores.' : undefined),
  })
  .refine((all) => Object.keys(all).length <= MOST_VARIABLES, `Use at most ${MOST_VARIABLES} variables.`)
  .default({})
  .meta({ description: 'Secrets by name, such as passwords, that any step can use as `{{name}}`. Stored encrypted.' });

type Issue = (path: (string | number)[], message: string) => void;

const templatesOf = ({ url, headers, body = '' }: Step): [path: string[], text: string][] => [
  [['url'], url],
  ...Object.entries(headers).map(([name, text]): [string[], string] => [['headers', name], text]),
  [['body'], body],
];

/** Rejects a variable that has no value when its step runs. */
function refuseUnknown(steps: Step[], variables: Record<string, string>, issue: Issue): void {
  const known = new Set(Object.keys(variables));
  for (const [index, step] of steps.entries()) {
    for (const [path, text] of templatesOf(step)) {
      const unknown = variablesIn(text).find((name) => !known.has(name));
      if (unknown === undefined) continue;
      issue(['steps', index, ...path], `No earlier step takes a value "${unknown}", and no variable has this name.`);
    }
    for (const [place, { name }] of step.extract.entries()) {
      if (Object.hasOwn(variables, name)) {
        issue(['steps', index, 'extract', place, 'name'], 'A variable has this name. Choose another one.');
      }
      known.add(name);
    }
  }
}

/** Rejects a server that a stored variable names: whoever can edit it could have the other secrets sent to their own. */
function refuseServers(steps: Step[], variables: Record<string, string>, issue: Issue): void {
  for (const [index, { url }] of steps.entries()) {
    if (!isServerVariable(url)) continue;
    if (index === 0) issue(['steps', 0, 'url'], 'The first step needs a URL whose host is no variable.');
    else if (variablesIn(serverOf(url)).some((name) => Object.hasOwn(variables, name))) {
      issue(['steps', index, 'url'], 'Enter the host itself, or a value of an earlier step.');
    }
  }
}

function refuseTooMany(steps: Step[], issue: Issue): void {
  const count = (of: (step: Step) => unknown[]) => steps.reduce((sum, step) => sum + of(step).length, 0);
  if (count((step) => step.assertions) > MOST_RULES) issue(['steps'], `Use at most ${MOST_RULES} rules in all steps.`);
  if (count((step) => step.extract) > MOST_EXTRACTIONS) {
    issue(['steps'], `Take at most ${MOST_EXTRACTIONS} values in all steps.`);
  }
  for (const [index, { name }] of steps.entries()) {
    const isFirst = steps.findIndex((each) => each.name === name) === index;
    if (!isFirst) issue(['steps', index, 'name'], 'Use each name only once.');
  }
}

const { degradedAfterMs, verifyTls, certificateWarnDays, ipFamily } = HttpConfig.shape;

/** Requests that are sent one after the other, with values of earlier responses. */
export const MultistepConfig = z
  .strictObject({
    steps: z.array(Step).min(1, 'Add a step.').max(MOST_STEPS, `Use at most ${MOST_STEPS} steps.`),
    variables: Variables,
    timeoutMs: z.int().min(100).max(60_000).default(30_000).meta({ description: 'Of all steps together.' }),
    degradedAfterMs: degradedAfterMs.meta({ description: 'Of all steps together.' }),
    maxRedirects: z.int().min(0).max(20).default(10).meta({ description: 'In all steps together.' }),
    verifyTls,
    certificateWarnDays,
    ipFamily,
    saveResponseBody: SaveResponseBody,
    confirm: SpeedConfirm,
  })
  .superRefine(({ steps, variables }, ctx) => {
    const issue: Issue = (path, message) => ctx.addIssue({ code: 'custom', path, message });
    refuseTooMany(steps, issue);
    refuseUnknown(steps, variables, issue);
    refuseServers(steps, variables, issue);
  });
export type MultistepConfig = z.infer<typeof MultistepConfig>;

/** The URL of the first step for display; a parser escapes the braces of variables in its path. */
const shown = (url: string) => url.replaceAll('%7B', '{').replaceAll('%7D', '}');

/** Configs of lists have only the URL of the first step. */
const firstOf = ({ steps }: MultistepConfig): Pick<Step, 'url'> & Partial<Step> =>
  steps[0] ?? { url: 'https://invalid/' };

interface StoredSteps {
  steps?: {
    url: unknown;
    method: unknown;
    headers: unknown;
    body?: unknown;
    followRedirects: unknown;
    extract: unknown;
  }[];
}

/**
 * The servers of all steps with their Host headers, because a later step may send what an earlier one got for a secret. If a response names a server,
 * all requests and what is taken from the responses, because any part of a request can change that response.
 */
function destinationOf({ steps = [] }: StoredSteps): unknown {
  const servers = steps.map(({ url, headers }) => {
    const server = originOf(url) || serverOf(urlText(url)).toLowerCase();
    return JSON.stringify([server, hostHeaders(headers)]);
  });
  const isTaken = steps.some(({ url }) => isServerVariable(urlText(url)));
  const requests = steps.map(({ url, method, headers, body, followRedirects, extract }) => {
    return [url, method, headers, body, followRedirects, extract];
  });
  return [[...new Set(servers)].sort(), isTaken && requests];
}

function endpointsOf({ steps }: MultistepConfig): Endpoint[] {
  return steps.flatMap(({ url }, index) => (isServerVariable(url) ? [] : [[`steps.${index}.url`, exampleOf(url)]]));
}

function expressionsIn(config: object): Expression[] {
  const steps = 'steps' in config && Array.isArray(config.steps) ? config.steps : [];
  return steps.slice(0, MOST_STEPS).flatMap((step: unknown, index) => {
    const path = `config.steps.${index}`;
    const { extract } = (step ?? {}) as { extract?: unknown };
    const extractions = Array.isArray(extract) ? extract.slice(0, MOST_EXTRACTIONS) : [];
    const taken = extractions.flatMap((each: unknown, place): Expression[] => {
      const { from = 'json', expression } = (each ?? {}) as { from?: unknown; expression?: unknown };
      if (typeof expression !== 'string' || (from !== 'json' && from !== 'body')) return [];
      const kind = from === 'json' ? 'jsonPath' : 'pattern';
      return [{ path: `${path}.extract.${place}.expression`, kind, source: expression }];
    });
    return [...assertionExpressions(step, path), ...taken];
  });
}

export const multistep = {
  schema: MultistepConfig,
  form: {
    label: 'Multi-step',
    note: 'Login, checkout',
    upWhen: 'Every step has an expected status code, every rule passes, and every value is found.',
    advanced: 'Redirects, certificate, confirmation',
    suggestName: ({ steps }) => suggestName((steps as unknown as { url?: string }[] | undefined)?.[0]?.url ?? ''),
    fields: {
      steps: { label: 'Steps', kind: 'steps', group: 'target' },
      variables: {
        label: 'Secret variables',
        kind: 'variables',
        group: 'target',
        help: 'Passwords and keys that steps use as {{name}}. Stored encrypted.',
      },
      maxRedirects: {
        label: 'Maximum redirects',
        kind: 'number',
        group: 'advanced',
        width: 'half',
        help: 'In all steps together.',
      },
      certificateWarnDays: {
        label: 'Certificate warning',
        kind: 'number',
        group: 'advanced',
        width: 'half',
        help: 'Days before it expires. 0 turns warnings off.',
      },
      verifyTls: { label: 'Verify TLS certificate', kind: 'switch', group: 'advanced' },
      ipFamily: {
        label: 'IP version',
        kind: 'select',
        group: 'advanced',
        width: 'half',
        options: [
          { value: 'auto', label: 'Automatic' },
          { value: '4', label: 'IPv4 only' },
          { value: '6', label: 'IPv6 only' },
        ],
      },
      ...degradedFields('3 s', 'Of all steps together.'),
      saveResponseBody: saveResponseBodyField,
    },
  },
  secrets: { steps: [{ url: 'url', headers: 'templateHeaders', body: 'text' }], variables: 'credentials' },
  destination: destinationOf,
  target: (config) => shown(withoutScheme(firstOf(config).url)),
  request: (config) => {
    const { url, method: first = 'GET' } = firstOf(config);
    const more = config.steps.length - 1;
    return `${first} ${shown(url)}${more === 0 ? '' : more === 1 ? ', then 1 more step' : `, then ${more} more steps`}`;
  },
  endpoints: endpointsOf,
  expressions: expressionsIn,
  limitKey: (config) => new URL(firstOf(config).url).hostname,
  certificateWarnDays: (config) => config.certificateWarnDays,
  isDegradedBySpeed: true,
  receivesSecrets: ({ steps }) => steps.some(({ extract }) => extract.length > 0),
} satisfies TypeDefinition<MultistepConfig>;
