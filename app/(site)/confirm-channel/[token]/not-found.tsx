import type { Metadata } from 'next';
import { Gate, GateTitle } from '@/app/_components/gate';

export const metadata: Metadata = { title: 'Link not found' };

/** A link that has expired, or that no channel needs any more. */
export default function ConfirmationNotFound() {
  return (
    <Gate>
      <GateTitle>This link does not work any more</GateTitle>
      <p className="text-body text-muted">
        It has expired, or the team does not send alerts to this address any more. If you want them, ask the team to
        send a new confirmation message.
      </p>
    </Gate>
  );
}
