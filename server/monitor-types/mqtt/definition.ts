import { z } from 'zod';
import { atPort } from '../address';
import { Confirm } from '../config/confirm';
import { saveResponseBodyField } from '../config/form-fields';
import { loginFields, loginShape, NoNul } from '../config/login';
import { SaveResponseBody } from '../config/save-response-body';
import type { Expression, TypeDefinition } from '../definition';

/** A topic filter (MQTT 3.1.1 §4.7): `+` is a whole level, `#` the last one. */
const TOPIC = /^(?:[^+#/]*|\+)(?:\/(?:[^+#/]*|\+))*(?:\/#)?$|^#$/;

/** A check of an MQTT broker that must send a message of a topic in time. If a rule is set, the payload must meet it. */
export const MqttConfig = z
  .strictObject({
    ...loginShape(1883),
    topic: NoNul.trim()
      .min(1, 'Enter a topic.')
      .max(1_000)
      .regex(TOPIC, 'Enter a topic, in which + stands for one level and # at the end for all further ones.'),
    retained: z.boolean().default(true).meta({
      description: 'Whether a message that the broker has kept counts. If not, one must be published during the check.',
    }),
    expect: z.string().min(1).max(10_000).optional().meta({ description: 'Text that the payload must contain.' }),
    jsonPath: z.string().min(1).max(512).optional().meta({
      description: 'A JSONPath (RFC 9535) in the payload, whose value must be `expectedValue`.',
    }),
    expectedValue: z.string().max(1_000).optional(),
    saveResponseBody: SaveResponseBody,
    confirm: Confirm,
  })
  .superRefine(({ username, password, jsonPath, expectedValue }, ctx) => {
    const issue = (field: string, message: string) => ctx.addIssue({ code: 'custom', path: [field], message });
    if (password !== undefined && username === undefined) issue('username', 'Enter the user of this password.');
    if (jsonPath !== undefined && expectedValue === undefined)
      issue('expectedValue', 'Enter the value of the JSONPath.');
    if (jsonPath === undefined && expectedValue !== undefined) issue('jsonPath', 'Enter the JSONPath of this value.');
  });
export type MqttConfig = z.infer<typeof MqttConfig>;

export const mqtt = {
  schema: MqttConfig,
  form: {
    label: 'MQTT',
    note: 'Message of a topic',
    upWhen: 'A message of the topic arrives within the timeout.',
    advanced: 'Certificate, response, confirmation',
    suggestName: ({ host, topic }) => topic || host,
    fields: {
      ...loginFields('broker.northwind.example', '1883'),
      topic: { label: 'Topic', kind: 'text', group: 'target', placeholder: 'plant/+/status' },
      retained: { label: 'Accept retained messages', kind: 'switch', group: 'expected' },
      expect: { label: 'Message contains', kind: 'multiline', group: 'expected', optional: true },
      jsonPath: {
        label: 'JSONPath',
        kind: 'text',
        group: 'expected',
        width: 'half',
        optional: true,
        placeholder: '$.status',
      },
      expectedValue: {
        label: 'Expected value',
        kind: 'verbatim',
        group: 'expected',
        width: 'half',
        optional: true,
      },
      saveResponseBody: saveResponseBodyField,
    },
  },
  secrets: { password: 'credential' },
  target: (config) => `${atPort(config)} ${config.topic}`,
  request: (config) => `mqtt ${atPort(config)} ${config.topic}${config.tls ? ' (tls)' : ''}`,
  endpoints: ({ host }) => [['host', host]],
  expressions: (config): Expression[] => {
    const { jsonPath: source } = config as { jsonPath?: unknown };
    return typeof source === 'string' ? [{ path: 'config.jsonPath', kind: 'jsonPath', source }] : [];
  },
  limitKey: ({ host }) => host.toLowerCase(),
  certificateWarnDays: ({ tls, certificateWarnDays }) => (tls ? certificateWarnDays : 0),
} satisfies TypeDefinition<MqttConfig>;
