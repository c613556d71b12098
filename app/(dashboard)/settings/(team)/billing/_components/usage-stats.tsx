import { formatCount, formatInterval } from '@/app/_components/format';
import { Stat, StatGrid } from '@/app/_components/ui/stat-grid';
import type { Billing } from '@/server/billing/schema';
import { counted } from './words';

export function UsageStats({ billing: { usage, limits } }: { billing: Billing }) {
  return (
    <StatGrid as="dl" className="grid-cols-2 lg:grid-cols-3">
      {counted.map(({ name, label }) => {
        const cap = limits[name];
        return (
          <Stat
            key={name}
            label={label}
            value={formatCount(usage[name])}
            unit={cap === null ? undefined : `of ${formatCount(cap)}`}
            note={cap === null ? 'Unlimited' : `${formatCount(Math.max(0, cap - usage[name]))} left`}
          />
        );
      })}
      <Stat
        label="Minimum interval"
        value={formatInterval(limits.minIntervalSeconds)}
        note="Between checks of a monitor"
      />
      <Stat label="History" value={formatCount(limits.historyDays)} unit="days" note="Checks and uptime" />
    </StatGrid>
  );
}
