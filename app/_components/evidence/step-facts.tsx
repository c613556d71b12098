import { formatMs } from '@/app/_components/format';
import { Icon } from '@/app/_components/ui/icon';
import type { AttemptStep } from '@/server/incidents/schema';

interface StepFactsProps {
  step: Omit<AttemptStep, 'timings'>;
  index: number;
}

/** The cells of a line about a step of a check: its result, name, status code and time. */
export function StepFacts({ step: { name, statusCode, latencyMs, isMet }, index }: StepFactsProps) {
  return (
    <>
      <span data-state={isMet === null ? 'unknown' : isMet ? 'up' : 'down'} className="inline-flex text-s-fg">
        {isMet === null ? <span aria-hidden="true">–</span> : <Icon name={isMet ? 'check' : 'x'} small />}
        {isMet === null ? null : <span className="sr-only">{isMet ? 'Passed:' : 'Failed:'}</span>}
      </span>
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        {index + 1}. {name}
      </span>
      <span className="font-mono text-small text-muted">{isMet === null ? 'not run' : statusCode}</span>
      <span className="num min-w-14 text-right">{latencyMs === null ? null : formatMs(latencyMs)}</span>
    </>
  );
}
