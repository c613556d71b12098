import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { configFileSchema, sections } from '@/server/config-files/schema';
import { MonitorType } from '@/server/monitor-types/schema';
import { channelTypes } from '@/server/notifications/schema';

const document = configFileSchema() as {
  properties: Record<string, { additionalProperties: { oneOf?: object[]; anyOf?: object[] } }>;
};
const schema = z.fromJSONSchema(document as never);
const accepts = (text: string) => schema.safeParse(parse(text)).success;

describe('the JSON Schema of configuration files', () => {
  it('describes every section, monitor type and channel kind', () => {
    expect(Object.keys(document.properties)).toEqual(
      expect.arrayContaining(['version', 'project', 'team', ...sections]),
    );
    const kinds = (section: string) => {
      const { oneOf, anyOf } = document.properties[section]?.additionalProperties ?? {};
      return (oneOf ?? anyOf ?? []).length;
    };
    expect([kinds('monitors'), kinds('channels')]).toEqual([MonitorType.options.length, channelTypes.length]);
  });

  it('accepts placeholders where the API wants a format, and rejects what apply rejects', () => {
    const chat = (url: string) =>
      `version: 1\nchannels:\n  chat: { type: slack, name: Chat, config: { webhookUrl: "${url}" } }`;
    expect(accepts(chat(`\${SLACK_URL}`))).toBe(true);
    expect(accepts('version: 1\nmonitors:\n  a: { type: ping, name: A, config: { host: a.test } }')).toBe(true);
    expect(accepts('version: 2')).toBe(false);
    expect(accepts('version: 1\nmonitors:\n  a: { type: ping, name: A, config: { host: a.test }, tag: [b] }')).toBe(
      false,
    );
    expect(accepts('version: 1\nmonitors:\n  a: { type: nothing, name: A, config: {} }')).toBe(false);
    expect(accepts('version: 1\nmonitor: {}')).toBe(false);
  });
});
