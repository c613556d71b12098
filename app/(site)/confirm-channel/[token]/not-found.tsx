import type { Metadata } from 'next';
import { Gate, GateTitle } from '@/app/_components/gate';

export const metadata: Metadata = { title: 'Link not found' };

/** Shown for an expired link, or one whose channel no longer exists. */
export default function ConfirmationNotFound() {
  return (
    <Gate>
      <GateTitle>This link is no longer valid</GateTitle>
      <p className="text-body text-muted">
        It has expired, or the team no longer sends alerts to this address. To receive alerts, ask the team for a new
        confirmation email.
      </p>
    </Gate>
  );
}
