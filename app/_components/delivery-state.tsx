import { StateLabel } from '@/app/_components/status/state-label';
import type { Delivery } from '@/server/notifications/schema';

type DeliveryStateProps = Pick<Delivery, 'status' | 'isSending' | 'hold'> & { attempts: number };

/** The status of a delivery: delivered, failed, held in quiet hours, sending, queued or retrying after failed attempts. */
export function DeliveryState({ status, attempts, isSending, hold }: DeliveryStateProps) {
  if (status === 'delivered') return <StateLabel state="up" word="Delivered" />;
  if (status === 'failed') return <StateLabel state="down" word="Failed" />;
  if (hold) return <StateLabel state="pending" word="Held, quiet hours" />;
  if (isSending) return <StateLabel state="pending" word="Sending" />;
  if (attempts === 0) return <StateLabel state="pending" word="Queued" />;
  return (
    <StateLabel state="degraded" word={attempts === 1 ? 'Retrying (1 attempt)' : `Retrying (${attempts} attempts)`} />
  );
}
