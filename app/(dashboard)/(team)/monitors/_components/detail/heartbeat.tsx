import { Section } from '@/app/_components/page';
import { Elapsed, RelativeTime } from '@/app/_components/time/time';
import { CopyButton } from '@/app/_components/ui/copy-button';
import type { MonitorDetail } from '@/server/monitor-types/schema';

const signals: Record<string, string> = { success: 'success', start: 'start', fail: 'failure' };

/** A heartbeat's ping URL, its current run, and the body of its last ping. */
export function HeartbeatSections({ detail: { monitor, heartbeat } }: { detail: MonitorDetail }) {
  const { pingUrl } = monitor.config;
  return (
    <>
      {typeof pingUrl === 'string' ? (
        <PingUrl url={pingUrl} />
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

function PingUrl({ url }: { url: string }) {
  const command = `curl -fsS -m 10 --retry 5 ${url}`;
  return (
    <Section title="Ping URL" note="send a request after each run">
      <div className="flex items-start gap-2 rounded-3 border bg-sunken p-3">
        <code className="min-w-0 grow font-mono text-small [overflow-wrap:anywhere]">{command}</code>
        <CopyButton text={command} label="Copy command" />
      </div>
      <p className="mt-2 text-small text-muted">
        Use GET, HEAD or POST. Up to 10 KiB of a POST body is stored and shown here. Append{' '}
        <code className="font-mono">/start</code> when a run starts, and <code className="font-mono">/fail</code> or the
        exit code when it ends. Anyone with this URL can send pings.
      </p>
    </Section>
  );
}
