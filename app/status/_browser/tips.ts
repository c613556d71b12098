import { utcDay } from '@/app/_components/charts/day-words';
import { formatLongDuration, formatPercent } from '@/app/_components/format';
import type { State } from '@/app/_components/status/states';
import { DAY_MS } from '@/server/time/schema';
import { type DaysData, tickOf } from '../_components/days-data';
import { componentWords } from '../_components/words';

const timed: [State, string][] = [
  ['down', componentWords.down],
  ['degraded', componentWords.degraded],
  ['unknown', componentWords.unknown],
  ['maintenance', componentWords.maintenance],
];

interface Day {
  title: string;
  lines: { state: State | null; word: string; value: string }[];
  incidents: { id: string; title: string }[];
}

/** The details of one day of a component's bar. */
export function dayAt(data: DaysData, componentId: string, index: number): Day {
  const { days, times } = data.components[componentId] ?? { days: '', times: {} };
  const from = Date.parse(data.today) - (days.length - 1 - index) * DAY_MS;
  const day = new Date(from).toISOString().slice(0, 10);
  const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' }).format(from);
  const found = times[day];
  const lines: Day['lines'] = timed.flatMap(([state, word], at) => {
    const seconds = Number(found?.[at] ?? 0);
    return seconds > 0 ? [{ state, word, value: formatLongDuration(seconds) }] : [];
  });
  const state = tickOf(days[index]);
  if (lines.length === 0) {
    const word = state === null ? 'No data' : state === 'up' ? 'No downtime' : componentWords[state as State];
    lines.push({ state: state as State | null, word, value: '' });
  } else if (found && found[4] !== null) {
    lines.push({ state: null, word: 'Uptime', value: formatPercent(found[4]) });
  }
  const incidents = data.incidents.filter(
    (each) =>
      each.components.includes(componentId) &&
      Date.parse(each.from) < from + DAY_MS &&
      (each.to === null || Date.parse(each.to) >= from),
  );
  return { title: `${weekday} ${utcDay(from)}`, lines, incidents };
}

/** The text alternative of a day's details. */
export function daySentence({ title, lines, incidents }: Day): string {
  const told = lines.map(({ word, value }) => `${word.toLowerCase()}${value ? ` ${value}` : ''}`).join(', ');
  const count = incidents.length;
  return `${title}: ${told}${count > 0 ? `, ${count} ${count === 1 ? 'incident' : 'incidents'}` : ''}`;
}

function element(name: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}

function glyph(state: State): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('class', 'glyph');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(space, 'use');
  use.setAttribute('href', `#g-${state}`);
  svg.append(use);
  return svg;
}

function toBox({ title, lines, incidents }: Day): HTMLElement {
  const box = element('div', 'tip');
  box.append(element('p', 'strong', title));
  for (const { state, word, value } of lines) {
    const line = element('div', 'tip-line');
    if (state) {
      line.dataset.state = state;
      line.append(glyph(state));
    }
    line.append(element('span', '', word), element('span', '', value));
    box.append(line);
  }
  for (const { id, title: words } of incidents) {
    const link = element('a', '', words) as HTMLAnchorElement;
    link.href = `#incident-${id}`;
    box.append(link);
  }
  return box;
}

/** The focused day and its bar, restored after the page is refreshed. */
export interface Place {
  componentId: string;
  index: number;
  isOpen: boolean;
}

/** Shows the details of a bar's days on hover and with arrow keys. A click keeps a day open until another click or Escape. */
class Bar {
  private readonly handle = element('div', '');
  private readonly mark = element('div', 'bar-day');
  private readonly count: number;
  private box: HTMLElement | null = null;
  private index: number;
  private isOpen = false;

  constructor(
    private readonly root: HTMLElement,
    private readonly data: DaysData,
    private readonly componentId: string,
  ) {
    this.count = data.components[componentId]?.days.length ?? 0;
    this.index = this.count - 1;
    const { handle } = this;
    const image = root.querySelector('svg');
    handle.tabIndex = 0;
    handle.setAttribute('role', 'slider');
    handle.setAttribute('aria-label', image?.getAttribute('aria-label') ?? '');
    handle.setAttribute('aria-valuemin', '1');
    handle.setAttribute('aria-valuemax', String(this.count));
    image?.setAttribute('aria-hidden', 'true');
    this.say();
    root.append(handle);
    handle.addEventListener('pointermove', (event) => {
      if (!this.isOpen && event.pointerType !== 'touch') this.show(this.indexAt(event.clientX));
    });
    root.addEventListener('pointerleave', () => this.isOpen || this.hide());
    handle.addEventListener('click', (event) => this.press(this.indexAt(event.clientX)));
    handle.addEventListener('focus', () => handle.matches(':focus-visible') && this.show(this.index));
    root.addEventListener('focusout', (event) => {
      if (!root.contains(event.relatedTarget as Node | null)) this.close();
    });
    root.addEventListener('keydown', (event) => this.onKey(event));
  }

  /** The focused day of this bar; null if the focus is elsewhere. */
  place(): Place | null {
    if (!this.root.contains(document.activeElement)) return null;
    return { componentId: this.componentId, index: this.index, isOpen: this.isOpen };
  }

  restore({ index, isOpen }: Place): void {
    this.handle.focus({ preventScroll: true });
    this.isOpen = isOpen;
    this.show(index);
  }

  close(): void {
    this.isOpen = false;
    this.hide();
  }

  private indexAt(x: number): number {
    const { left, width } = this.handle.getBoundingClientRect();
    return Math.min(this.count - 1, Math.max(0, Math.floor(((x - left) / width) * this.count)));
  }

  private press(index: number): void {
    const isClosed = this.isOpen && index === this.index;
    if (isClosed) this.close();
    else {
      this.isOpen = true;
      this.show(index);
    }
  }

  private onKey(event: KeyboardEvent): void {
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -7,
      PageUp: 7,
      Home: -this.count,
      End: this.count,
    };
    const step = steps[event.key];
    const isOwn = event.target === this.handle;
    if (event.key === 'Escape' && this.box) {
      this.handle.focus();
      this.close();
    } else if (isOwn && (event.key === 'Enter' || event.key === ' ')) this.press(this.index);
    else if (isOwn && step !== undefined) this.show(Math.min(this.count - 1, Math.max(0, this.index + step)));
    else return;
    event.preventDefault();
  }

  private say(): void {
    this.handle.setAttribute('aria-valuenow', String(this.index + 1));
    this.handle.setAttribute('aria-valuetext', daySentence(dayAt(this.data, this.componentId, this.index)));
  }

  private show(index: number): void {
    if (this.box && index === this.index) return;
    this.box?.remove();
    this.index = index;
    this.say();
    const { handle, mark, root } = this;
    this.box = toBox(dayAt(this.data, this.componentId, index));
    mark.style.left = `${(index / this.count) * 100}%`;
    mark.style.width = `${100 / this.count}%`;
    root.append(mark, this.box);
    const { width } = handle.getBoundingClientRect();
    const room = width - this.box.offsetWidth;
    this.box.style.left = `${Math.min(room, Math.max(0, ((index + 0.5) / this.count) * width - this.box.offsetWidth / 2))}px`;
  }

  private hide(): void {
    const { box } = this;
    // Removing the focused element calls this method again.
    this.box = null;
    box?.remove();
    this.mark.remove();
  }
}

/** Attaches the details to every bar of the page. */
export class Bars {
  private readonly bars: Bar[];

  constructor(root: ParentNode) {
    const text = root.querySelector('#days')?.textContent;
    const data = text ? (JSON.parse(text) as DaysData) : null;
    this.bars = [...root.querySelectorAll<HTMLElement>('.bar')].flatMap((bar) => {
      const id = bar.dataset.component ?? '';
      return data?.components[id] ? [new Bar(bar, data, id)] : [];
    });
  }

  place(): Place | null {
    for (const bar of this.bars) {
      const place = bar.place();
      if (place) return place;
    }
    return null;
  }

  restore(place: Place, root: ParentNode): void {
    const at = [...root.querySelectorAll<HTMLElement>('.bar')].findIndex(
      ({ dataset }) => dataset.component === place.componentId,
    );
    this.bars[at]?.restore(place);
  }

  /** A click outside the bars closes the open day. */
  pressed(target: EventTarget | null): void {
    if (!(target instanceof Element && target.closest('.bar'))) for (const bar of this.bars) bar.close();
  }
}
