interface Times {
  startsAt: string;
  endsAt: string;
}

const dayNames = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
};

/** Returns the group of the list that a window belongs to. */
export function phaseOf({ next }: { next: Times | null }, now: number): 'running' | 'scheduled' | 'past' {
  if (!next) return 'past';
  return Date.parse(next.startsAt) <= now ? 'running' : 'scheduled';
}

/** "Thu 26 Nov, 02:00–02:45" in a zone, with the year unless it is the year of `now`. */
export function spanText({ startsAt, endsAt }: Times, timeZone: string, now: number): string {
  const day = (at: string) => {
    const isThisYear = new Date(at).getUTCFullYear() === new Date(now).getUTCFullYear();
    const year = isThisYear ? {} : { year: 'numeric' as const };
    const options = { timeZone, weekday: 'short', day: 'numeric', month: 'short', ...year } as const;
    return new Intl.DateTimeFormat('en-GB', options).format(new Date(at)).replace(',', '');
  };
  const clock = (at: string) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(new Date(at));
  const [first, last] = [day(startsAt), day(endsAt)];
  if (first === last) return `${first}, ${clock(startsAt)}–${clock(endsAt)}`;
  return `${first}, ${clock(startsAt)} – ${last}, ${clock(endsAt)}`;
}

/** Describes how often a window repeats, such as "Every Monday"; null if it does not. */
export function recurrenceText(recurrence: string | null): string | null {
  if (recurrence === null) return null;
  const parts = new Map(recurrence.split(';').map((part) => part.split('=') as [string, string]));
  const days = (parts.get('BYDAY') ?? '').split(',').filter((day): day is keyof typeof dayNames => day in dayNames);
  const isPlain = [...parts.keys()].every((name) => ['FREQ', 'BYDAY', 'BYMONTHDAY'].includes(name));
  if (!isPlain) return 'Custom schedule';
  switch (parts.get('FREQ')) {
    case 'DAILY':
      return 'Every day';
    case 'WEEKLY':
      return days.length > 0 ? `Every ${days.map((day) => dayNames[day]).join(', ')}` : 'Every week';
    case 'MONTHLY':
      return parts.has('BYDAY') ? 'Every month, by weekday' : 'Every month';
    default:
      return 'Every year';
  }
}

/** Describes the scope of a window, such as "2 monitors · tag payouts". */
export function scopeText({ monitorIds, tags }: { monitorIds: string[] | null; tags: string[] }): string {
  if (monitorIds === null) return 'All monitors';
  const named =
    monitorIds.length > 0 ? [`${monitorIds.length} ${monitorIds.length === 1 ? 'monitor' : 'monitors'}`] : [];
  const tagged = tags.length > 0 ? [`${tags.length === 1 ? 'tag' : 'tags'} ${tags.join(', ')}`] : [];
  return [...named, ...tagged].join(' · ') || 'No monitors';
}
