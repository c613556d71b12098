import { StateLabel } from '@/app/_components/ui/state-label';
import type { Delivery } from '@/server/notifications/schema';

/** How it stands with a message: delivered, failed for good, on its way, or tried in vain so far. */
export function DeliveryState({ status, attempts }: { status: Delivery['status']; attempts: number }) {
  if (status === 'delivered') return <StateLabel state="up" word="Delivered" />;
  if (status === 'failed') return <StateLabel state="down" word="Failed" />;
  if (attempts === 0) return <StateLabel state="pending" word="On its way" />;
  return <StateLabel state="degraded" word={attempts === 1 ? 'Tried once' : `Tried ${attempts} times`} />;
}
