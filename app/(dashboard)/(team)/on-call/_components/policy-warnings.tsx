import { Alert } from '@/app/_components/ui/alert';
import type { PolicyWarning } from '@/server/on-call/schema';

export interface PolicyWarningsProps {
  warnings: PolicyWarning[];
}

/** "3 warnings" */
export const warningCount = (count: number): string => (count === 1 ? '1 warning' : `${count} warnings`);

/** Why a saved policy would notify nobody, now or in the coming days. */
export function PolicyWarnings({ warnings }: PolicyWarningsProps) {
  if (warnings.length === 0) return null;
  const isNobody = warnings.some(({ step, code }) => step === null && code === 'nobody_reached');
  return (
    <Alert state={isNobody ? 'down' : 'degraded'} title={warningCount(warnings.length)} className="mb-6">
      <ul aria-label="Warnings" className="grid gap-1">
        {warnings.map(({ step, message }) => (
          <li key={`${step} ${message}`}>
            {step === null ? '' : `Step ${step}: `}
            {message}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
