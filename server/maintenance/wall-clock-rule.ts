import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';

/** A clock's time in a zone, as if it were UTC. */
export type Wall = Temporal.ZonedDateTime;
type Rule = RRuleTemporal<Wall>;

const MOST_KEPT = 1_000;
const LAST_YEAR = 9_999;
const kept = new Map<string, Rule>();

/** A moment's wall-clock time in a zone, as if it were UTC. */
const wallOf = (at: Date, timezone: string): Wall =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDateTime()
    .toZonedDateTime('UTC');

/**
 * The moment at which a clock of the zone shows this time. A time that is skipped in spring comes as much later as the clock is moved; one
 * that is repeated in autumn counts the first time, unless the window itself starts in the second hour.
 */
export function momentOf(wall: Wall, startsAt: Date, timezone: string): Date {
  if (wall.equals(wallOf(startsAt, timezone))) return startsAt;
  return new Date(wall.toPlainDateTime().toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds);
}

const basic = (wall: Wall) => wall.toPlainDateTime().toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');

/** An UNTIL in UTC as the wall-clock time of the zone, since the rule is followed in wall-clock times. */
function untilAsWall(recurrence: string, timezone: string): string {
  return recurrence.replace(/UNTIL=(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z/, (_all, ...parts: string[]) => {
    const [year, month, day, hour, minute, second] = parts;
    return `UNTIL=${basic(wallOf(new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`), timezone))}Z`;
  });
}

// No limit of its own on candidates: with one, the library steps through every period, which takes a thousand times as long.
const parse = (dtstart: string, rrule: string): Rule =>
  new RRuleTemporal({ rruleString: `DTSTART:${dtstart}Z\nRRULE:${rrule}`, temporal: Temporal });

/** The end of a rule that has a COUNT; null where it is too far away. */
function endOf(rule: Rule): Wall | null {
  try {
    const last = rule.all().at(-1);
    return last && last.year <= LAST_YEAR ? last : null;
  } catch {
    // The library gives up after 10,000 periods, or beyond its last year.
    return null;
  }
}

/** A rule with an UNTIL instead of a COUNT, for which the library counts from the start each time it is asked. */
function countAsUntil(rule: Rule, dtstart: string, rrule: string): Rule {
  if (rule.options().count === undefined) return rule;
  const last = endOf(rule);
  return parse(dtstart, rrule.replace(/;?COUNT=\d+/, '').replace(/^;/, '') + (last ? `;UNTIL=${basic(last)}Z` : ''));
}

/** Whether a rule has neither a COUNT, unless it ends too far away, nor an UNTIL. */
export const isEndless = (rule: Rule) => rule.options().until === undefined;

/** The rule in wall-clock times, which know no daylight saving. Throws for what is no rule. */
export function ruleOf(recurrence: string, startsAt: Date, timezone: string): Rule {
  const key = `${timezone} ${startsAt.getTime()} ${recurrence}`;
  const known = kept.get(key);
  if (known) return known;
  const dtstart = basic(wallOf(startsAt, timezone));
  const rrule = untilAsWall(recurrence, timezone);
  const rule = countAsUntil(parse(dtstart, rrule), dtstart, rrule);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, rule);
  return rule;
}
