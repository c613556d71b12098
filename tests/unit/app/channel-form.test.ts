import { expect, test } from 'vitest';
import {
  channelFieldOf,
  toChannelFields,
  toChannelInput,
} from '@/app/(dashboard)/(team)/channels/_components/channel-model';
import { CreateChannelInput } from '@/server/notifications/schema';

test.each(['email', 'slack', 'discord', 'line', 'webhook'] as const)(
  'an empty form says in our words what %s needs',
  (type) => {
    const result = CreateChannelInput.safeParse(toChannelInput({ ...toChannelFields(), type }));
    const issues = result.error?.issues ?? [];
    expect(issues.length).toBeGreaterThanOrEqual(2);
    for (const { message, path } of issues) {
      expect(message).toMatch(/^Give /);
      expect(channelFieldOf(path.join('.'), type)).not.toBeNull();
    }
  },
);
