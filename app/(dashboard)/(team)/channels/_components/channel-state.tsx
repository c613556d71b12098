import { StateLabel } from '@/app/_components/status/state-label';
import type { State } from '@/app/_components/status/states';
import type { Channel } from '@/server/notifications/schema';

/** A failing channel is shown as degraded, because down is reserved for monitors. */
const states: Record<Channel['state'], { state: State; word: string }> = {
  delivering: { state: 'up', word: 'Delivering' },
  retrying: { state: 'degraded', word: 'Retrying' },
  failing: { state: 'degraded', word: 'Failing' },
  untested: { state: 'pending', word: 'No delivery yet' },
};

/** Whether messages are delivered, and if not, since when. */
export function ChannelStateLabel({ channel }: { channel: Pick<Channel, 'state' | 'failingSince'> }) {
  return <StateLabel {...states[channel.state]} since={channel.failingSince} />;
}
