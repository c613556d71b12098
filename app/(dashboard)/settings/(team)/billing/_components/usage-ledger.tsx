import { formatCount, formatInterval } from '@/app/_components/format';
import { Ledger, Tile } from '@/app/_components/ui/ledger';
import type { Billing } from '@/server/billing/schema';
import { counted } from './words';

/** What of the plan is used, and what it allows beside. */
export function UsageLedger({ billing: { usage, limits } }: { billing: Billing }) {
  return (
    <Ledger as="dl" className="grid-cols-2 lg:grid-cols-3">
      {counted.map(({ name, label }) => {
        const cap = limits[name];
        return (
          <Tile
            key={name}
            label={label}
            value={formatCount(usage[name])}
            unit={cap === null ? undefined : `of ${formatCount(cap)}`}
            note={cap === null ? 'No cap' : `${formatCount(Math.max(0, cap - usage[name]))} left`}
          />
        );
      })}
      <Tile
        label="Shortest interval"
        value={formatInterval(limits.minIntervalSeconds)}
        note="Between two checks of a monitor"
      />
      <Tile label="History" value={formatCount(limits.historyDays)} unit="days" note="Of checks and uptime" />
    </Ledger>
  );
}
