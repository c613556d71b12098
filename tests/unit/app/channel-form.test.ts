import { expect, test } from 'vitest';
import { lettersOf } from '@/app/(dashboard)/(team)/channels/_components/channel-mark';
import {
  channelFieldOf,
  configFieldsOf,
  helpOf,
  toChannelFields,
  toChannelInput,
} from '@/app/(dashboard)/(team)/channels/_components/channel-model';
import { CreateChannelInput, channelTypes } from '@/server/notifications/schema';

test.each(channelTypes)('shows a message of its own for every required field of an empty %s form', (type) => {
  const empty = { ...toChannelFields(type), config: {} };
  const result = CreateChannelInput.safeParse(toChannelInput(type, empty));
  const issues = result.error?.issues ?? [];
  expect(issues.length).toBeGreaterThanOrEqual(2);
  for (const { message, path } of issues) {
    expect(message).toMatch(/^(Enter|Choose) /);
    expect(channelFieldOf(path.join('.'), type)).not.toBeNull();
  }
});

test('a new channel begins with the defaults of its config', () => {
  expect(toChannelFields('telegram').config.apiUrl).toBe('https://api.telegram.org');
});

test.each([
  ['Slack', 'Sl'],
  ['LINE', 'LI'],
  ['PagerDuty', 'PD'],
  ['Microsoft Teams', 'MT'],
  ['Rocket.Chat', 'RC'],
  ['ntfy', 'nt'],
])('%s has the letters %s', (label, letters) => {
  expect(lettersOf(label)).toBe(letters);
});

test('says how to keep a secret only where one is stored', () => {
  const fields = new Map(configFieldsOf('slack'));
  const field = fields.get('signingSecret');
  if (!field) throw new Error('Slack has no signing secret.');
  expect(helpOf('slack', 'signingSecret', field, '••••5bc2')).toContain('Leave unchanged to keep it.');
  expect(helpOf('slack', 'signingSecret', field, '')).toBe(field.help);
});
