import { applyTag } from '@/server/maintenance/apply-window';
import { MOST_TAGS_EACH } from '@/server/monitor-types/schema';
import { databaseNow } from '@/server/platform/database-now';
import { invalidField } from '@/server/platform/errors';
import { notify } from '@/server/platform/listen';
import { changeTag } from '../queries';
import type { BulkChange } from './bulk-change';

/** Returns a change that adds a tag to monitors, or removes it. Refuses to add it to monitors with the maximum number of tags. */
export function tagAll(tag: string, isAdded: boolean): BulkChange {
  return async (tx, teamId, monitors) => {
    const others = monitors.filter(({ tags }) => tags.includes(tag) !== isAdded);
    const full = isAdded ? others.filter(({ tags }) => tags.length >= MOST_TAGS_EACH) : [];
    const changed = others.filter((row) => !full.includes(row));
    const refusal = () => invalidField('tag', `This monitor has ${MOST_TAGS_EACH} tags already.`);
    const refused = new Map(full.map(({ id }) => [id, refusal()]));
    if (changed.length === 0) return { changed, refused };
    const ids = changed.map(({ id }) => id);
    await changeTag(tx, ids, tag, isAdded);
    await applyTag(tx, teamId, changed, { tag, isAdded, now: await databaseNow(tx) });
    await notify(tx, { team: teamId, kind: 'monitor', ids });
    return { changed, refused, audit: 'monitor.update' };
  };
}
