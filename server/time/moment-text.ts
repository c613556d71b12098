/** The maximum number of cached formatters. Making one takes longer than composing a mail. There are about 600 zones, each with several spellings. */
const MOST_FORMATTERS = 1_000;
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
    timeZone,
  });
  if (formatters.size >= MOST_FORMATTERS) formatters.clear();
  formatters.set(timeZone, made);
  return made;
}

function partsOf(at: Date, timeZone: string) {
  const parts = Object.fromEntries(
    formatterOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const { weekday, day, month, year, hour, minute, second, timeZoneName: zone } = parts;
  return { day: `${weekday} ${day} ${month} ${year}`, time: `${hour}:${minute}:${second}`, zone };
}

/** Formats a time with its zone: "Mon 23 Nov 2026, 03:06:42 CET". `timeZone` is an IANA name. */
export function momentText(at: Date, timeZone: string): string {
  const { day, time, zone } = partsOf(at, timeZone);
  return `${day}, ${time} ${zone}`;
}

/** Formats a range of times, with one date if both have the same: "Mon 23 Nov 2026, 03:06:42 – 03:20:44 CET". */
export function rangeText(from: Date, to: Date, timeZone: string): string {
  const [start, end] = [partsOf(from, timeZone), partsOf(to, timeZone)];
  if (start.day !== end.day || start.zone !== end.zone)
    return `${momentText(from, timeZone)} – ${momentText(to, timeZone)}`;
  return `${start.day}, ${start.time} – ${end.time} ${end.zone}`;
}
