import { StepFacts } from '@/app/_components/evidence/step-facts';
import { Section } from '@/app/_components/page';
import { Timestamp } from '@/app/_components/time/time';
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
        {steps.map((step, index) => (
          <li
            key={step.name}
            className="grid grid-cols-[auto_minmax(0,1fr)_auto_auto] items-center gap-x-3 gap-y-1 py-2"
          >
            <StepFacts step={step} index={index} />
            <span aria-hidden="true" className="relative col-start-2 col-end-5 h-1.5 rounded-1 bg-sunken">
              {step.latencyMs === null ? null : (
                <i
                  style={{
                    left: `${((starts[index] ?? 0) / total) * 100}%`,
                    width: `${(step.latencyMs / total) * 100}%`,
                  }}
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
