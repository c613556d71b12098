import { Section } from '@/app/_components/page';
import { Elapsed, RelativeTime } from '@/app/_components/time/time';
import type { MonitorDetail } from '@/server/monitor-types/schema';
import { PingUrl } from './ping-url';

const signals: Record<string, string> = { success: 'success', start: 'start', fail: 'failure' };

/** A heartbeat's ping URL, its current run, and the body of its last ping. */
export function HeartbeatSections({ detail: { monitor, heartbeat } }: { detail: MonitorDetail }) {
  const { pingUrl, cron, timezone } = monitor.config;
  const schedule = {
    cron: typeof cron === 'string' ? cron : '0 3 * * *',
    timezone: typeof timezone === 'string' ? timezone : 'Etc/UTC',
  };
  return (
    <>
      {typeof pingUrl === 'string' ? (
        <PingUrl url={pingUrl} schedule={schedule} />
      ) : (
        <p className="mt-3 text-muted">Only members who can edit monitors see the ping URL.</p>
      )}
      {heartbeat?.runningSince ? (
        <p className="mt-3 text-muted">
          Running for <Elapsed at={heartbeat.runningSince} />.
        </p>
      ) : null}
      {heartbeat?.lastBody ? (
        <Section
          title="Last ping body"
          note={
            <>
              {signals[heartbeat.lastBody.signal] ?? `exit code ${heartbeat.lastBody.signal}`},{' '}
              <RelativeTime at={heartbeat.lastBody.at} />
            </>
          }
        >
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll it only while it has the focus. */}
          <pre tabIndex={0} className="max-h-80 overflow-auto rounded-3 border bg-sunken p-3 font-mono text-small">
            {heartbeat.lastBody.body}
          </pre>
        </Section>
      ) : null}
    </>
  );
}
