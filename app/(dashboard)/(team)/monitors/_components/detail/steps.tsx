import { formatMs } from '@/app/_components/format';
import { Section } from '@/app/_components/page';
import { Timestamp } from '@/app/_components/time/time';
import { Icon } from '@/app/_components/ui/icon';
import type { MonitorDetail } from '@/server/monitor-types/schema';

type Steps = NonNullable<MonitorDetail['steps']>;

/** The steps of the last check, one after the other, with their share of the response time. */
export function StepsSection({ steps: { at, steps } }: { steps: Steps }) {
  const total = steps.reduce((sum, { latencyMs }) => sum + (latencyMs ?? 0), 0) || 1;
  const starts = steps.map((_, index) =>
    steps.slice(0, index).reduce((sum, { latencyMs }) => sum + (latencyMs ?? 0), 0),
  );
  return (
    <Section
      title="Steps"
      note={
        <>
          of the last check, <Timestamp at={at} />
        </>
      }
    >
      <ol className="divide-y border-y">
        {steps.map(({ name, statusCode, latencyMs, isMet }, index) => (
          <li key={name} className="grid grid-cols-[auto_minmax(0,1fr)_auto_auto] items-center gap-x-3 gap-y-1 py-2">
            <span data-state={isMet === null ? 'unknown' : isMet ? 'up' : 'down'} className="inline-flex text-s-fg">
              {isMet === null ? <span aria-hidden="true">–</span> : <Icon name={isMet ? 'check' : 'x'} small />}
              {isMet === null ? null : <span className="sr-only">{isMet ? 'Passed:' : 'Failed:'}</span>}
            </span>
            <span className="[overflow-wrap:anywhere]">
              {index + 1}. {name}
            </span>
            <span className="font-mono text-small text-muted">{isMet === null ? 'not run' : statusCode}</span>
            <span className="num min-w-16 text-right">{latencyMs === null ? null : formatMs(latencyMs)}</span>
            <span aria-hidden="true" className="relative col-start-2 col-end-5 h-1.5 rounded-1 bg-sunken">
              {latencyMs === null ? null : (
                <i
                  style={{ left: `${((starts[index] ?? 0) / total) * 100}%`, width: `${(latencyMs / total) * 100}%` }}
                  className="absolute inset-y-0 min-w-[2px] rounded-1 bg-chart-first-byte"
                />
              )}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
