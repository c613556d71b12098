'use client';

import { Section } from '@/app/_components/page';
import type { EscalationStep } from '@/server/on-call/schema';
import { useTargets } from './use-targets';

export interface PolicyPreviewProps {
  steps: EscalationStep[];
  repeat: number;
}

/** Whom each step would notify, and when. */
export function PolicyPreview({ steps, repeat }: PolicyPreviewProps) {
  const { words } = useTargets();
  // As in `advance`: a step that reaches nobody is skipped, and the next step of the round starts at once.
  const isSkipped = ({ targets }: EscalationStep, index: number) =>
    targets.length > 0 && index + 1 < steps.length && !targets.some((target) => words(target).isReached);
  const waits = steps.map((step, index) =>
    isSkipped(step, index) || !Number.isFinite(step.waitMinutes) ? 0 : step.waitMinutes,
  );
  const whenText = (minutes: number) => (minutes === 0 ? 'At once' : `After ${minutes} min`);
  const startOf = (index: number) => waits.slice(0, index).reduce((sum, wait) => sum + wait, 0);
  const again = repeat === 1 ? 'once more' : `${repeat} more times`;
  return (
    <Section title="If an incident opened now" className="first:mt-0">
      <ol className="grid gap-3">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies a step
          <li key={index} className="grid grid-cols-[88px_minmax(0,1fr)] gap-2">
            <span className="num text-muted">{whenText(startOf(index))}</span>
            <ul>
              {step.targets.length === 0 ? <li className="text-muted">Nobody yet</li> : null}
              {step.targets.map((target) => {
                const { name, note } = words(target);
                return (
                  <li key={`${target.type} ${target.id}`}>
                    <span className="font-medium">{name}</span> <span className="text-small text-muted">{note}</span>
                  </li>
                );
              })}
              {isSkipped(step, index) ? (
                <li className="text-small text-muted">Nobody to notify: skipped to the next step</li>
              ) : null}
            </ul>
          </li>
        ))}
        <li className="grid grid-cols-[88px_minmax(0,1fr)] gap-2">
          <span className="num text-muted">After {startOf(steps.length)} min</span>
          <span>{repeat === 0 ? 'Stops' : `Repeats ${again}, then stops`}</span>
        </li>
      </ol>
      <p className="mt-3 text-small text-muted">It stops as soon as somebody acknowledges or resolves the incident.</p>
    </Section>
  );
}
