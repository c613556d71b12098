import { formatLongDuration } from '@/app/_components/format';
import { utcSecond } from '../_components/words';
import { Bars } from './tips';

/** The polling interval of an open page. With the server's cache, a change appears within three seconds. */
const askEveryMs = 1_500;
const askAgainMs = 5_000;
/** The number of failed polls in a row after which the page shows a notice. */
const patience = 2;

interface Answer {
  version: string;
  checkedAt: string | null;
  /** The age of the snapshot in seconds, if no newer one is available. */
  delaySeconds: number | null;
}

const byId = (id: string) => document.getElementById(id);

let bars = new Bars(document);
let failures = 0;

/** Fetches the page and replaces its content. */
async function refresh(): Promise<void> {
  const response = await fetch(location.pathname, { cache: 'no-cache' });
  if (!response.ok) throw new Error(`The page answered ${response.status}`);
  const read = new DOMParser().parseFromString(await response.text(), 'text/html');
  const [present, next] = [byId('page'), read.getElementById('page')];
  if (!present || !next) return location.reload();
  const place = bars.place();
  present.replaceWith(document.adoptNode(next));
  document.title = read.title;
  const icon = (from: Document) => from.querySelector<HTMLLinkElement>('link[rel=icon]');
  icon(document)?.setAttribute('href', icon(read)?.getAttribute('href') ?? '/icon.svg');
  bars = new Bars(document);
  if (place) bars.restore(place, document);
}

/** Polls once. @returns the delay until the next poll in ms */
async function ask(): Promise<number> {
  const page = byId('page');
  if (!page) return askAgainMs;
  try {
    const response = await fetch(`/status/${page.dataset.slug}/version`, { cache: 'no-cache' });
    if (response.status === 404) location.reload();
    if (!response.ok) throw new Error(`The version answered ${response.status}`);
    const { version, checkedAt, delaySeconds } = (await response.json()) as Answer;
    const isDelayed = String(delaySeconds !== null);
    if (version !== page.dataset.version || isDelayed !== page.dataset.delayed) await refresh();
    const [checked, age] = [byId('checked'), byId('age')];
    if (checked && checkedAt !== null) checked.textContent = `Last checked at ${utcSecond(checkedAt)}.`;
    if (age && delaySeconds !== null) age.textContent = formatLongDuration(delaySeconds);
    failures = 0;
    return askEveryMs;
  } catch {
    failures += 1;
    return askAgainMs;
  } finally {
    const unreachable = byId('unreachable');
    if (unreachable) unreachable.hidden = failures <= patience;
  }
}

let timer: ReturnType<typeof setTimeout>;
let isAsking = false;

/** Pages in the background do not poll. They poll when they become visible. */
async function run(): Promise<void> {
  clearTimeout(timer);
  if (document.hidden || isAsking) return;
  isAsking = true;
  const wait = await ask();
  isAsking = false;
  timer = setTimeout(run, wait);
}

timer = setTimeout(run, askEveryMs);
document.addEventListener('visibilitychange', () => void run());
document.addEventListener('pointerdown', ({ target }) => bars.pressed(target));
