import { formatMs } from '@/app/_components/format';
import { Section } from '@/app/_components/page';
import { StateLabel } from '@/app/_components/status/state-label';
import { TextWithTimes } from '@/app/_components/time/text-with-times';
import { RelativeTime } from '@/app/_components/time/time';
import type { RegionStatus } from '@/server/monitor-types/schema';

/** The monitor's status in each region. Renders nothing for a monitor without regions. */
export function RegionsSection({ regions }: { regions: RegionStatus[] }) {
  if (regions.length === 0) return null;
  return (
    <Section title="Regions" note={regions.length > 1 ? 'status follows the majority' : undefined}>
      <ul className="divide-y border-y">
        {regions.map((each) => (
          <li key={each.region} className="py-2">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <b className="min-w-24 font-medium [overflow-wrap:anywhere]">{each.region}</b>
              <StateLabel state={each.status} />
              <span className="ml-auto text-small text-muted">
                {each.lastCheckedAt ? (
                  <>
                    <span className="font-mono">{formatMs(each.latencyMs)}</span> ·{' '}
                    <RelativeTime at={each.lastCheckedAt} />
                  </>
                ) : (
                  'not checked yet'
                )}
              </span>
            </div>
            {each.isWatched ? null : (
              <p data-state="unknown" className="text-small text-s-fg">
                No {each.region.startsWith('private/') ? 'agent' : 'worker'} is running in this region.
              </p>
            )}
            {each.error ? (
              <p className="text-small text-muted [overflow-wrap:anywhere]">
                <TextWithTimes>{each.error}</TextWithTimes>
              </p>
            ) : null}
          </li>
        ))}
      </ul>
    </Section>
  );
}
