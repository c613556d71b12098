import { isDeepStrictEqual } from 'node:util';
import { notify } from '@/server/platform/listen';
import { touch } from '../queries';
import { setChannels } from '../set-channels';
import type { BulkChange, BulkRow } from './bulk-change';

const channelsOf = ({ allChannels, channels }: BulkRow) =>
  allChannels ? null : channels.map(({ channelId }) => channelId).toSorted();

/** Returns a change that sets the channels that monitors notify; null means every channel of the team. */
export function setChannelsOfAll(channelIds: string[] | null): BulkChange {
  const wanted = channelIds && [...new Set(channelIds)].toSorted();
  return async (tx, teamId, monitors) => {
    const changed = monitors.filter((row) => !isDeepStrictEqual(channelsOf(row), wanted));
    const ids = changed.map(({ id }) => id);
    await setChannels(tx, teamId, ids, wanted);
    if (ids.length === 0) return { changed };
    await touch(tx, ids);
    await notify(tx, { team: teamId, kind: 'monitor', ids });
    return { changed, audit: 'monitor.update' };
  };
}
