'use client';

import { useController } from 'react-hook-form';
import { ChannelChoice } from '../channel-choice';
import { ListError } from './fields';
import type { MonitorFields } from './monitor-fields';

/** The channels of a monitor. */
export function ChannelsField() {
  const all = useController<MonitorFields, 'allChannels'>({ name: 'allChannels' }).field;
  const chosen = useController<MonitorFields, 'channelIds'>({ name: 'channelIds' }).field;
  return (
    <div className="grid justify-items-start gap-3">
      <ChannelChoice isAll={all.value} onAll={all.onChange} ids={chosen.value} onIds={chosen.onChange} />
      <ListError name="channelIds" />
    </div>
  );
}
