import { createHash } from 'node:crypto';
import { shortReason } from '@/server/monitor-types/schema';
import { env } from '@/server/platform/env';
import { acknowledgingOf, type Opening } from '../acknowledgments/acknowledge-link';
import type { ChannelType } from '../providers/definitions';
import { shorten, shortenMiddle } from '../providers/shorten';
import { shownMessage } from '../providers/shown';
import { affectedNames, subjectOf } from './affected';
import type { EventPayload } from './event';
import { inWords, type Message, type Report, type Tone } from './message';

/** A delivery and the message that it would be without grouping. */
export interface Single {
  id: string;
  /** How often its incident had been reopened at the event. */
  opening: number;
  message: Message;
}

/** A message and the deliveries that it combines. */
export interface GroupMessage {
  ids: string[];
  message: Message;
  /** The incidents that its link acknowledges together; empty without such a link. */
  openings: Opening[];
}

interface Limits {
  channel: { id: string; type: ChannelType };
  /** The maximum characters of headline and details together. */
  textLimit: number;
  /** The maximum number of messages. */
  most: number;
}

type State = 'down' | 'open' | 'degraded' | 'certificate' | 'acknowledged' | 'recovered' | 'ended' | 'notice';

/** The combined events of one incident. */
interface Entry {
  ids: string[];
  opening: number;
  state: State;
  /** Whether it is a call to the person on call, who is the reader of the message. */
  isCall: boolean;
  /** The label before the names in a list. */
  list: string;
  name: string;
  message: Message;
  cause: string | null;
}

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** Most urgent first. `first` begins a headline, `more` continues it, `list` labels names. */
const states: Record<State, { first: (n: number) => string; more: (n: number) => string; list: string }> = {
  down: { first: (n) => plural(n, 'monitor is down', 'monitors are down'), more: (n) => `${n} down`, list: 'Down' },
  open: {
    first: (n) => plural(n, 'incident is open', 'incidents are open'),
    more: (n) => plural(n, 'other incident is open', 'other incidents are open'),
    list: 'Open incidents',
  },
  degraded: {
    first: (n) => plural(n, 'monitor is degraded', 'monitors are degraded'),
    more: (n) => `${n} degraded`,
    list: 'Degraded',
  },
  certificate: {
    first: (n) => plural(n, 'certificate needs renewal', 'certificates need renewal'),
    more: (n) => plural(n, 'certificate needs renewal', 'certificates need renewal'),
    list: 'Certificates to renew',
  },
  acknowledged: {
    first: (n) => plural(n, 'incident was acknowledged', 'incidents were acknowledged'),
    more: (n) => plural(n, 'incident acknowledged', 'incidents acknowledged'),
    list: 'Acknowledged',
  },
  recovered: {
    first: (n) => plural(n, 'monitor recovered', 'monitors recovered'),
    more: (n) => `${n} recovered`,
    list: 'Recovered',
  },
  ended: {
    first: (n) => plural(n, 'incident was closed', 'incidents were closed'),
    more: (n) => plural(n, 'incident closed', 'incidents closed'),
    list: 'Closed',
  },
  notice: {
    first: (n) => plural(n, 'notice', 'notices'),
    more: (n) => plural(n, 'notice', 'notices'),
    list: 'Notices',
  },
};
const order = Object.keys(states) as State[];
const tones: Tone[] = ['down', 'degraded', 'acknowledged', 'neutral', 'up'];

/** The maximum characters of a cause after a name. */
const CAUSE = 120;
/** The characters of a list's label and separators. */
const LABEL = 36;
/** Names are shortened to at least this length if all have to be named. */
const SHORTEST_NAME = 12;
/** The maximum length of a name if not all are named. */
const LONGEST_NAME = 60;
/** The characters of "… (4 of 4)" in a headline. */
const COUNTER = 16;
/** The characters of the line "and 12 more". */
const MORE = 20;

function stateOf({ type, data }: EventPayload): State {
  if (!data.incident) return 'notice';
  if (type === 'incident.acknowledged') return 'acknowledged';
  if (type === 'incident.resolved') return (data.resolution ?? 'recovered') === 'recovered' ? 'recovered' : 'ended';
  // The monitor of a reopened incident may be up, so no more than "open" is known.
  if (type === 'incident.reopened') return 'open';
  const kind = data.incident?.type;
  if (kind === 'degraded' || kind === 'certificate') return kind;
  return kind === 'downtime' ? 'down' : 'open';
}

/** Returns the same ID for the same deliveries, so that receivers can deduplicate. Has the form of a ULID. */
function groupId(ids: string[]): string {
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  const digest = createHash('sha256').update(ids.join(' ')).digest();
  return `0${Array.from(digest.subarray(0, 25), (byte) => alphabet[byte % 32]).join('')}`;
}

/** Returns one entry per incident, by its last event: an incident that is over when the message is sent counts as over. */
function toEntries(singles: Single[]): Entry[] {
  const byIncident = new Map<string, Single[]>();
  for (const each of singles) {
    const key = each.message.payload.data.incident?.id ?? each.id;
    const events = byIncident.get(key) ?? [];
    byIncident.set(key, events);
    events.push(each);
  }
  return [...byIncident.values()].flatMap((events) => {
    const latest = events.at(-1);
    if (!latest) return [];
    const { message: last, opening } = latest;
    const ids = events.map(({ id }) => id);
    const state = stateOf(last.payload);
    const { data } = last.payload;
    const cause = state === 'recovered' || state === 'ended' ? null : (data.incident?.cause ?? null);
    const message = ids.length === 1 ? last : { ...last, id: groupId(ids) };
    const name = state === 'notice' ? oneLine(message.headline) : subjectOf(data) + affecting(message);
    const isCall = last.payload.type === 'incident.escalated' && data.escalation?.person != null;
    const { list } = states[state];
    const label = isCall ? `On call, ${list.charAt(0).toLowerCase()}${list.slice(1)}` : list;
    return [{ ids, opening, state, isCall, list: label, name, cause, message }];
  });
}

/** Counts messages by state: "3 monitors are down, 2 recovered". */
function countsOf(entries: Entry[]): string {
  const counts = order.flatMap((state) => {
    const count = entries.filter((entry) => entry.state === state).length;
    return count > 0 ? [{ state, count }] : [];
  });
  return counts.map(({ state, count }, index) => states[state][index === 0 ? 'first' : 'more'](count)).join(', ');
}

/** Returns the headline: "You are on call: 1 monitor is down. Also: 1 monitor recovered". */
function headlineOf(entries: Entry[]): string {
  const isReminder = entries.every(({ message }) => message.payload.type === 'incident.reminder');
  if (isReminder) return `Reminder: ${countsOf(entries)}`;
  const calls = entries.filter(({ isCall }) => isCall);
  if (calls.length === 0) return countsOf(entries);
  const others = entries.filter(({ isCall }) => !isCall);
  return `You are on call: ${countsOf(calls)}${others.length > 0 ? `. Also: ${countsOf(others)}` : ''}`;
}

/** Sorts entries: calls to the person on call first, then by urgency of their state. */
function inOrder(entries: Entry[]): Entry[] {
  return [true, false].flatMap((isCall) =>
    order.flatMap((state) => entries.filter((entry) => entry.isCall === isCall && entry.state === state)),
  );
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Returns " (Support phone line)": the components that an incident names, and its monitors if there are several. */
function affecting({ payload: { data } }: Message): string {
  const names = affectedNames(data);
  return names.length > 0 ? ` (${names.join(', ')})` : '';
}

/** Returns " after 14 min": the duration of an incident that is over; "" for others. */
function lasting({ state, message }: Entry): string {
  const { incident } = message.payload.data;
  if (state !== 'recovered' || !incident?.resolvedAt) return '';
  return ` after ${inWords((Date.parse(incident.resolvedAt) - Date.parse(incident.startedAt)) / 1000)}`;
}

function withCause(entry: Entry): string {
  const { message, cause } = entry;
  const after = cause ? `: ${shorten(oneLine(cause), CAUSE)}` : '';
  return oneLine(message.headline) + affecting(message) + lasting(entry) + after;
}

/** Returns a line for each entry, or null if they take more than `room`. Stops at the limit, so that only a few lines of a thousand are built. */
function withCauses(entries: Entry[], room: number): string[] | null {
  const lines: string[] = [];
  let length = -1;
  for (const entry of entries) {
    const line = withCause(entry);
    length += line.length + 1;
    if (length > room) return null;
    lines.push(line);
  }
  return lines;
}

/** Returns "Down: API, Checkout": a line for each state, and separate lines for calls of the person on call. */
function byName(entries: Entry[], longest = Number.POSITIVE_INFINITY): string[] {
  const lists = new Map<string, string[]>();
  for (const { list, name } of entries) {
    const names = lists.get(list) ?? [];
    lists.set(list, names);
    names.push(shortenMiddle(name, longest));
  }
  return [...lists].map(([list, names]) => `${list}: ${names.join(', ')}`);
}

/** Splits entries into parts whose names each fit into `room` characters. Names count with at most `longest` characters. */
function split(entries: Entry[], room: number, longest: number): Entry[][] {
  const parts: Entry[][] = [];
  let left = 0;
  let list: string | null = null;
  for (const entry of entries) {
    const length = Math.min(entry.name.length, longest) + 2 + (entry.list === list ? 0 : LABEL);
    if (length > left || parts.length === 0) {
      parts.push([]);
      left = room - (entry.list === list ? LABEL : 0);
    }
    parts.at(-1)?.push(entry);
    left -= length;
    list = entry.list;
  }
  return parts;
}

interface Text {
  headline: string;
  details: string[];
  /** The details with the tokens of links masked. */
  shown?: string[];
  channel: Limits['channel'];
}

/** Returns the incidents that the link of a message acknowledges; empty if none of them can be acknowledged. */
function openingsOf(entries: Entry[]): Opening[] {
  if (!entries.some(({ message }) => message.acknowledgeUrl !== undefined)) return [];
  return entries.flatMap(({ message: { payload }, opening }) => {
    const { incident } = payload.data;
    return incident ? [{ incidentId: incident.id, opening }] : [];
  });
}

/** The number of entries that a report lists with their causes. It only names the others. */
const MOST_LISTED = 15;

/**
 * Returns the entries as the rows of a report, the most urgent first. Null if a template replaced a text of one of them, because a report would not
 * contain it.
 */
function groupReport(entries: Entry[], headline: string): Report | null {
  if (entries.some(({ message }) => message.report === undefined)) return null;
  const [first] = entries;
  const others = entries.slice(MOST_LISTED);
  const isMixed = new Set(entries.map(({ list }) => list)).size > 1;
  const rows = entries.slice(0, MOST_LISTED).map((entry) => {
    const label = shorten(entry.state === 'notice' ? entry.list : entry.name, CAUSE);
    const text = entry.state === 'notice' ? entry.name : `${entry.list}${lasting(entry)}`;
    const { cause } = entry;
    const reason = cause ? shorten(oneLine(shortReason(cause)), CAUSE) : null;
    if (reason === null) return { label, value: text };
    return { label, value: isMixed ? `${text}: ${reason}` : reason };
  });
  return {
    state: first?.isCall ? 'On call' : (first?.list ?? ''),
    subject: headline,
    reason: null,
    facts: rows,
    notes: others.length > 0 ? [`And ${others.length} more: ${byName(others, LONGEST_NAME).join('. ')}`] : [],
  };
}

function toGroup(entries: Entry[], { headline, details, shown, channel }: Text): GroupMessage {
  const ids = entries.flatMap((entry) => entry.ids);
  const [first] = entries;
  if (!first) throw new Error('A group has no entries.');
  if (entries.length === 1) return { ids, message: first.message, openings: [] };
  const id = groupId(ids);
  const openings = openingsOf(entries);
  const acknowledging = openings.length > 0 ? acknowledgingOf({ groupId: id }, channel) : {};
  const tone = tones.find((each) => entries.some(({ message }) => message.tone === each)) ?? 'neutral';
  const { payload } = first.message;
  const url = `${env.appUrl}/incidents`;
  const text = { headline, details, ...(shown && { shown: { headline, details: shown } }) };
  const report = channel.type === 'email' ? groupReport(entries, headline) : null;
  const incidentIds = entries.flatMap(({ message }) => message.payload.data.incident?.id ?? []).sort();
  return {
    ids,
    openings,
    message: { id, payload, tone, ...text, ...(report && { report }), incidentIds, url, ...acknowledging },
  };
}

interface Parts {
  parts: Entry[][];
  /** The length that names are shortened to. */
  longest: number;
}

/** Names every entry, shortened if the names stay distinct; null if that takes more than `most` parts. */
function nameAll(entries: Entry[], space: number, most: number): Parts | null {
  const whole = split(entries, space, Number.POSITIVE_INFINITY);
  if (whole.length <= most) return { parts: whole, longest: Number.POSITIVE_INFINITY };
  const labels = new Set(entries.map(({ list }) => list)).size * LABEL;
  const longest = Math.floor((most * (space - labels)) / entries.length) - 3;
  if (longest < SHORTEST_NAME) return null;
  const distinct = (nameOf: (name: string) => string) => new Set(entries.map(({ name }) => nameOf(name))).size;
  if (distinct((name) => shortenMiddle(name, longest)) < distinct((name) => name)) return null;
  const parts = split(entries, space, longest);
  return parts.length <= most ? { parts, longest } : null;
}

/**
 * Combines the messages that wait for a channel into one or, if necessary, up to `most`, most urgent first. Names every monitor with its cause if
 * that fits; otherwise only names, then names in several messages, then shortened names. Names that would become ambiguous are not shortened: the
 * last message then ends "and 12 more".
 */
export function toGroupMessages(singles: Single[], { channel, textLimit, most }: Limits): GroupMessage[] {
  const entries = toEntries(singles);
  if (entries.length === 0) return [];
  const sorted = inOrder(entries);
  const headline = headlineOf(sorted);
  const room = Math.max(200, textLimit - headline.length - 1);
  const causes = withCauses(sorted, room);
  if (causes) {
    const shown = sorted.map((entry) => withCause({ ...entry, message: shownMessage(entry.message) }));
    return [toGroup(sorted, { headline, details: causes, shown, channel })];
  }
  const names = byName(sorted);
  if (names.join('\n').length <= room || sorted.length === 1) {
    const details = names.join('\n').length <= room ? names : [];
    return [toGroup(sorted, { headline, details, shown: details, channel })];
  }
  const space = room - COUNTER;
  const { parts, longest } = nameAll(sorted, space, most) ?? {
    parts: split(sorted, space - MORE, LONGEST_NAME),
    longest: LONGEST_NAME,
  };
  const shown = parts.slice(0, most);
  const unnamed = parts.slice(most).flat();
  return shown.map((part, index) => {
    const titled = shown.length > 1 ? `${headline} (${index + 1} of ${shown.length})` : headline;
    const isLast = index === shown.length - 1;
    if (!isLast || unnamed.length === 0) {
      return toGroup(part, { headline: titled, details: byName(part, longest), channel });
    }
    const details = [...byName(part, longest), `and ${unnamed.length} more`];
    return toGroup([...part, ...unnamed], { headline: titled, details, channel });
  });
}
