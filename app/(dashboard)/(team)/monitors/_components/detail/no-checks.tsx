import { Empty } from '@/app/_components/ui/empty';
import { isPassive } from '@/server/monitor-lists/values';
import type { Monitor } from '@/server/monitor-types/schema';

/** Empty state of a monitor's list of checks. */
export function NoChecks({ monitor }: { monitor: Monitor }) {
  if (isPassive(monitor.type)) {
    return (
      <Empty title="No pings yet">
        {monitor.isActive ? 'The first ping appears here automatically.' : 'This monitor is paused.'}
      </Empty>
    );
  }
  return (
    <Empty title="No checks yet">
      {monitor.isActive
        ? 'The first check takes about a second. Its result appears here automatically.'
        : 'This monitor is paused. Resume it to start checking.'}
    </Empty>
  );
}
