import { Empty } from '@/app/_components/ui/empty';
import { isPassive, type Monitor } from '@/server/monitors/schema';

/** What stands in place of the checks of a monitor that has none. */
export function NoChecks({ monitor }: { monitor: Monitor }) {
  if (isPassive(monitor.type)) {
    return (
      <Empty title="Not pinged yet">
        {monitor.isActive ? 'The first ping appears here by itself.' : 'It is paused.'}
      </Empty>
    );
  }
  return (
    <Empty title="Not checked yet">
      {monitor.isActive
        ? 'The first check takes about a second. It appears here by itself.'
        : 'It is paused. Resume it to check it.'}
    </Empty>
  );
}
