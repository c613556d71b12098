'use client';

import { type Phase, phases } from '@/app/_components/charts/phases';
import { Waterfall } from '@/app/_components/charts/waterfall';
import { formatInterval, formatLatency, percentDigits } from '@/app/_components/format';
import { DetailList, Section } from '@/app/_components/page';
import { Timestamp } from '@/app/_components/time/time';
import { Stat, StatGrid } from '@/app/_components/ui/stat-grid';
import type { ChartRange } from '@/server/monitor-lists/schema';
import { isPassive } from '@/server/monitor-lists/values';
import type { MonitorDetail } from '@/server/monitor-types/schema';
import { AlertsTo } from './alerts-to';
import { CertificateFacts } from './certificate';
import { Days } from './days';
import { degradedAfter } from './degraded-after';
import { Exclusions } from './exclusions';
import { HeartbeatSections } from './heartbeat';
import { rangeWords } from './ranges';
import { RecentChecks } from './recent-checks';
import { RegionsSection } from './regions';
import { ResponseTime } from './response-time';
import { StepsSection } from './steps';
import { meaning } from './uptime-words';

const tiles = { '24h': '24 hours', '7d': '7 days', '30d': '30 days', '90d': '90 days' };

export interface OverviewProps {
  detail: MonitorDetail;
  range: ChartRange;
  isDeleting: boolean;
  canWrite: boolean;
}

/** The first tab of a monitor: uptime, response time and its breakdown, recent checks, configuration. */
export function Overview({ detail, range, isDeleting, canWrite }: OverviewProps) {
  return (
    <>
      <StatGrid as="dl" className="grid-cols-2 sm:grid-cols-4">
        {detail.uptimes.map((uptime) => (
          <Stat
            key={uptime.range}
            label={tiles[uptime.range]}
            value={percentDigits(uptime.ratio)}
            unit={uptime.ratio === null ? undefined : '%'}
            note={meaning(uptime)}
          />
        ))}
      </StatGrid>
      <div className="mt-7 grid grid-cols-[minmax(0,1fr)] gap-8 xl:grid-cols-[minmax(0,1fr)_296px] 2xl:grid-cols-[minmax(0,1fr)_360px] 2xl:gap-12">
        <div className="min-w-0">
          {detail.heartbeat ? <HeartbeatSections detail={detail} /> : null}
          <RegionsSection regions={detail.regions} />
          <ResponseTime detail={detail} range={range} />
          {detail.steps ? <StepsSection steps={detail.steps} /> : null}
          <PhasesSection detail={detail} range={range} />
          <Days detail={detail} />
          <RecentChecks monitor={detail.monitor} isDeleting={isDeleting} />
        </div>
        <aside aria-label="Details">
          <Settings detail={detail} />
          {detail.certificate ? <CertificateFacts certificate={detail.certificate} /> : null}
          <AlertsTo monitorId={detail.monitor.id} channelIds={detail.monitor.channelIds} canWrite={canWrite} />
          <Exclusions monitorId={detail.monitor.id} outages={detail.chart.outages} canWrite={canWrite} />
        </aside>
      </div>
    </>
  );
}

function PhasesSection({ detail, range }: { detail: MonitorDetail; range: ChartRange }) {
  const times = (which: 'p50' | 'p95') => {
    const of = (phase: Phase) => detail.phases.find((each) => each.phase === phase)?.[which] ?? null;
    return {
      dns: of('dns'),
      connect: of('connect'),
      tls: of('tls'),
      firstByte: of('firstByte'),
      download: of('download'),
    };
  };
  const p50 = times('p50');
  if (phases.every((phase) => p50[phase] === null)) return null;
  return (
    <Section title="Response time breakdown" note={`latest successful checks in the last ${rangeWords[range]}`}>
      <Waterfall
        times={p50}
        columns={[
          { label: 'p50', times: p50 },
          { label: 'p95', times: times('p95') },
        ]}
      />
    </Section>
  );
}

function DownAfter({ failures, seconds, noisyUntil }: NonNullable<MonitorDetail['downAfter']>) {
  const checks = failures === 1 ? '1 failing check' : `${failures} failing checks`;
  return (
    <>
      {seconds > 0 ? `${checks} over ${formatInterval(seconds)}` : checks}
      {noisyUntil ? (
        <span className="block text-small text-muted">
          Twice as long as usual until <Timestamp at={noisyUntil} />, because checks often failed without a downtime
        </span>
      ) : null}
    </>
  );
}

function Settings({ detail: { monitor, downAfter } }: { detail: MonitorDetail }) {
  const { timeoutMs, cron, timezone, graceSeconds } = monitor.config;
  const isPinged = isPassive(monitor.type);
  const degraded = degradedAfter(monitor);
  return (
    <Section title={isPinged ? 'Schedule' : 'Configuration'}>
      <DetailList
        facts={[
          ['Interval', cron === undefined ? formatInterval(monitor.intervalSeconds) : null],
          ['Cron', typeof cron === 'string' ? cron : null],
          ['Time zone', typeof cron === 'string' ? String(timezone ?? 'UTC') : null],
          ['Grace period', typeof graceSeconds === 'number' ? formatInterval(graceSeconds) : null],
          ['Timeout', typeof timeoutMs === 'number' ? formatLatency(timeoutMs) : null],
          ['Degraded after', degraded === null ? null : formatLatency(degraded)],
          ['Down after', downAfter && <DownAfter key="down" {...downAfter} />],
          [
            isPinged ? 'Last ping' : 'Last check',
            monitor.lastCheckedAt ? <Timestamp key="last" at={monitor.lastCheckedAt} /> : 'None yet',
          ],
          ['Created', <Timestamp key="created" at={monitor.createdAt} />],
        ]}
      />
    </Section>
  );
}
