import type { Metadata } from 'next';
import { Gate, GateTitle } from '@/app/_components/gate';

export const metadata: Metadata = { title: 'No status page here' };

/** What a stranger is told where there is no page, or a private one: the two cannot be told apart. */
export default function StatusPageNotFound() {
  return (
    <Gate>
      <div className="grid gap-3">
        <GateTitle>No status page here</GateTitle>
        <p className="text-body text-muted">Check the address, or ask whoever gave it to you.</p>
      </div>
    </Gate>
  );
}
