import { formatLongDuration } from '@/app/_components/format';
import type { PublicStatusPage } from '@/server/status-pages/schema';
import { Glyph } from './glyph';
import { overallStates, utcSecond } from './words';

/** The reading that is shown, where a later one is not to be had. */
export interface Delay {
  /** ISO 8601. */
  readAt: string;
  ageSeconds: number;
}

/** The page in one line, and how fresh it is. */
export function Overall({ page, delay }: { page: PublicStatusPage; delay: Delay | null }) {
  const state = overallStates[page.overall];
  const others = page.components.filter(({ status }) => status !== state);
  const rest = state !== 'up' && others.length > 0 && others.every(({ status }) => status === 'up');
  return (
    <div data-state={state} className="overall box">
      <Glyph state={state} />
      <div>
        <h1>{page.headline}</h1>
        {rest ? <p className="body">Everything else works.</p> : null}
        <p className="body muted num">
          <span id="checked">
            {page.checkedAt === null ? 'No check was made yet.' : `Checked at ${utcSecond(page.checkedAt)}.`}
          </span>
          <span id="unreachable" hidden>
            {' '}
            This page cannot be reached just now; it may have changed since.
          </span>
        </p>
        {delay ? (
          <p className="body strong num" role="status">
            Updates are delayed. This page shows how it was at {utcSecond(delay.readAt)},{' '}
            <span id="age">{formatLongDuration(delay.ageSeconds)}</span> ago.
          </p>
        ) : null}
      </div>
    </div>
  );
}
