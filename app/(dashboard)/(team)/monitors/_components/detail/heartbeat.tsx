import { CopyButton } from '@/app/_components/ui/copy-button';
import { Section } from '@/app/_components/ui/page';
import { Ago, Since } from '@/app/_components/ui/since';
import type { MonitorDetail } from '@/server/monitors/schema';

const signals: Record<string, string> = { success: 'a success', start: 'the start of a run', fail: 'a failure' };

/** Where a heartbeat is pinged, and what its job said last. */
export function HeartbeatSections({ detail: { monitor, heartbeat } }: { detail: MonitorDetail }) {
  const { pingUrl } = monitor.config;
  return (
    <>
      {typeof pingUrl === 'string' ? (
        <PingAddress url={pingUrl} />
      ) : (
        <p className="mt-3 text-muted">The ping URL is shown to members who may edit monitors.</p>
      )}
      {heartbeat?.runningSince ? (
        <p className="mt-3 text-muted">
          A run is under way, for <Since at={heartbeat.runningSince} />.
        </p>
      ) : null}
      {heartbeat?.lastBody ? (
        <Section
          title="What the job said"
          note={
            <>
              with {signals[heartbeat.lastBody.signal] ?? `exit code ${heartbeat.lastBody.signal}`},{' '}
              <Ago at={heartbeat.lastBody.at} />
            </>
          }
        >
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
          <pre tabIndex={0} className="max-h-80 overflow-auto rounded-3 border bg-sunken p-3 font-mono text-small">
            {heartbeat.lastBody.body}
          </pre>
        </Section>
      ) : null}
    </>
  );
}

function PingAddress({ url }: { url: string }) {
  const command = `curl -fsS -m 10 --retry 5 ${url}`;
  return (
    <Section title="Where to ping" note="at the end of every run">
      <div className="flex items-start gap-2 rounded-3 border bg-sunken p-3">
        <code className="min-w-0 grow font-mono text-small [overflow-wrap:anywhere]">{command}</code>
        <CopyButton text={command} label="Copy the command" />
      </div>
      <p className="mt-2 text-small text-muted">
        By GET, HEAD or POST; up to 10 KiB of what is posted is kept and shown here. With{' '}
        <code className="font-mono">/start</code> at its end the address says that a run begins, with{' '}
        <code className="font-mono">/fail</code> or an exit code how it ended. Who knows the address can ping.
      </p>
    </Section>
  );
}
