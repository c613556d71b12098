import { formatLongDuration } from '@/app/_components/format';
import type { PublicStatusPage } from '@/server/status-pages/schema';
import { Glyph } from './glyph';
import { overallStates, utcSecond } from './words';

/** The age of the snapshot if no newer one is available. */
export interface Delay {
  /** ISO 8601. */
  readAt: string;
  ageSeconds: number;
}

/** When the page was last checked; null if its statuses do not come from checks. */
function checkedWords({ checkedAt, components }: PublicStatusPage): string | null {
  if (checkedAt !== null) return `Last checked at ${utcSecond(checkedAt)}.`;
  const isUnchecked = components.every(({ status }) => status === 'pending' || status === 'paused');
  return isUnchecked ? 'No checks yet.' : null;
}

/** The overall status in one line, and when it was last checked. */
export function Overall({ page, delay }: { page: PublicStatusPage; delay: Delay | null }) {
  const state = overallStates[page.overall];
  const others = page.components.filter(({ status }) => status !== state);
  const rest = state !== 'up' && others.length > 0 && others.every(({ status }) => status === 'up');
  return (
    <div data-state={state} className="overall box">
      <Glyph state={state} />
      <div>
        <h1>{page.headline}</h1>
        {rest ? <p className="body">All other services are operational.</p> : null}
        <p className="body muted num">
          <span id="checked">{checkedWords(page)}</span>
          <span id="unreachable" hidden>
            {' '}
            Could not refresh this page. It may be out of date.
          </span>
        </p>
        {delay ? (
          <p className="body strong num" role="status">
            Updates are delayed. This page shows the status at {utcSecond(delay.readAt)},{' '}
            <span id="age">{formatLongDuration(delay.ageSeconds)}</span> ago.
          </p>
        ) : null}
      </div>
    </div>
  );
}
