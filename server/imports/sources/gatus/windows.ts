import { canonicalZone } from '@/server/time/schema';
import { clockOf, firstOccurrence, ruleOf } from '../../convert/recurring-window';
import type { Row } from '../../convert/rows';
import { cut, type DraftBuilder, NotCarriedOver } from '../../draft';
import { durationOf, isOn, textOf, textsOf } from './fields';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

interface Window {
  key: string;
  title: string;
  monitorKeys: string[];
}

/** Adds a maintenance window; does nothing if it is disabled or empty. */
export function addWindow(row: Row, draft: DraftBuilder, { key, title, monitorKeys }: Window, now: Date): void {
  if (Object.keys(row).length === 0 || !isOn(row, 'enabled', true)) return;
  draft.addWindow({ key, name: title, from: 'maintenance' }, () => {
    if (monitorKeys.length === 0) throw new NotCarriedOver('It has no monitors.');
    const timezone = textOf(row, 'timezone') || 'UTC';
    if (canonicalZone(timezone) === null) throw new NotCarriedOver(`The time zone ${cut(timezone, 40)} is unknown.`);
    const weekdays = textsOf(row, 'every').map((day) => WEEKDAYS.indexOf(day));
    if (weekdays.includes(-1)) throw new NotCarriedOver('A day of its list is unknown.');
    const rule = {
      ...ruleOf(weekdays.length > 0 ? weekdays : null, null, null),
      ...clockOf(textOf(row, 'start')),
      durationMs: durationOf(row, 'duration', 0),
    };
    const times = firstOccurrence(rule, { timezone, earliest: 0, now });
    return { monitorKeys, input: { title, ...times } };
  });
}
