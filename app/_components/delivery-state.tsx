import { StateLabel } from '@/app/_components/status/state-label';
import type { Delivery } from '@/server/notifications/schema';

/** The status of a delivery: delivered, failed, sending, or retrying after failed attempts. */
export function DeliveryState({ status, attempts }: { status: Delivery['status']; attempts: number }) {
  if (status === 'delivered') return <StateLabel state="up" word="Delivered" />;
  if (status === 'failed') return <StateLabel state="down" word="Failed" />;
  if (attempts === 0) return <StateLabel state="pending" word="Sending" />;
  return (
    <StateLabel state="degraded" word={attempts === 1 ? 'Retrying (1 attempt)' : `Retrying (${attempts} attempts)`} />
  );
}
