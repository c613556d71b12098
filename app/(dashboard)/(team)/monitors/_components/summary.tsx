'use client';

import { cn } from '@/app/_components/cn';
import { formatCount } from '@/app/_components/format';
import { Glyph } from '@/app/_components/status/glyph';
import { states, stateWords } from '@/app/_components/status/states';
import { StatGrid } from '@/app/_components/ui/stat-grid';
import type { MonitorOverview, MonitorStatus } from '@/server/monitor-types/schema';

export interface SummaryProps {
  counts: MonitorOverview['counts'];
  total: number;
  /** The status that the list is filtered by. */
  status: MonitorStatus | null;
  onStatus: (status: MonitorStatus | null) => void;
}

/** A share in percent with one decimal. Rounded down, so that 100 means all. */
function share(part: number, total: number): string {
  return String(Math.floor((part / total) * 1000) / 10);
}

/** The number of monitors in each status; each count is a filter button. */
export function Summary({ counts, total, status, onStatus }: SummaryProps) {
  return (
    <StatGrid
      role="group"
      aria-label="Monitors by status"
      className="mb-4 grid-cols-4 md:grid-cols-[repeat(6,minmax(0,1fr))_minmax(0,1.8fr)]"
    >
      {states.map((state) => (
        <button
          key={state}
          type="button"
          aria-pressed={status === state}
          onClick={() => onStatus(status === state ? null : state)}
          className={cn(
            'flex flex-col text-left hover:bg-hover focus-inset aria-pressed:bg-accent-subtle! aria-pressed:shadow-[inset_0_-2px_0_var(--accent)] max-xl:px-2.5! max-xl:py-2! max-sm:px-2!',
            state === 'up' && 'max-md:col-span-2',
          )}
        >
          <span
            className={cn(
              'num flex items-center gap-2 text-[18px] leading-6 font-medium tracking-[-0.02em]',
              state === 'down' && (counts.down ?? 0) > 0 && 'text-down-fg',
            )}
          >
            <Glyph state={state} />
            {formatCount(counts[state] ?? 0)}
          </span>
          <span className="text-small whitespace-nowrap text-muted max-sm:tracking-[-0.01em] max-[389px]:text-micro">
            {stateWords[state]}
            {state === 'up' && total > 0 ? `, ${share(counts.up ?? 0, total)} % of all` : null}
          </span>
        </button>
      ))}
    </StatGrid>
  );
}
