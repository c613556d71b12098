import { expect, test } from 'vitest';
import {
  channelFieldOf,
  toChannelFields,
  toChannelInput,
} from '@/app/(dashboard)/(team)/channels/_components/channel-model';
import { CreateChannelInput, channelTypes } from '@/server/notifications/schema';

test.each(channelTypes)('shows a message of its own for every required field of an empty %s form', (type) => {
  const result = CreateChannelInput.safeParse(toChannelInput({ ...toChannelFields(), type }));
  const issues = result.error?.issues ?? [];
  expect(issues.length).toBeGreaterThanOrEqual(2);
  for (const { message, path } of issues) {
    expect(message).toMatch(/^Enter /);
    expect(channelFieldOf(path.join('.'), type)).not.toBeNull();
  }
});

test('a new channel begins with the defaults of its config', () => {
  expect(toChannelFields().configs.telegram.apiUrl).toBe('https://api.telegram.org');
});
