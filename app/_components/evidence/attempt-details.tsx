import { phaseTimes } from '@/app/_components/charts/phases';
import { Waterfall } from '@/app/_components/charts/waterfall';
import { formatTimestamp } from '@/app/_components/format';
import { DetailList } from '@/app/_components/page';
import { TextWithTimes } from '@/app/_components/time/text-with-times';
import { Icon } from '@/app/_components/ui/icon';
import type { CheckAttempt } from '@/server/incidents/schema';
import { ExchangeView } from './exchange-view';

const heading = 'text-small font-medium text-muted';

/** The address that a check connected to, or tried to: "192.0.2.1:443", "[2001:db8::1]:443". */
export function addressOf({ address, port }: CheckAttempt['connections'][number]): string {
  if (port === null) return address;
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

function connectionsOf({ connections }: CheckAttempt): string | null {
  const texts = connections.map((each) => (each.error ? `${addressOf(each)} (${each.error})` : addressOf(each)));
  return texts.length > 0 ? texts.join(', ') : null;
}

function certificateOf({ certificate }: CheckAttempt): string | null {
  if (!certificate) return null;
  const { subject, issuer, validTo } = certificate;
  const until = formatTimestamp(validTo, { style: 'full', now: 0, timeZone: 'UTC' });
  return `${subject || 'no name'}, issued by ${issuer || 'an unnamed issuer'}, valid until ${until}`;
}

/** Everything that a check recorded. Data from the target is rendered as text, never as markup. */
export function AttemptDetails({ attempt, url }: { attempt: CheckAttempt; url: string | null }) {
  const { error, rules, exchanges, addresses, certificate } = attempt;
  const times = phaseTimes(attempt);
  const happened = Object.values(times).some((time) => time !== null);
  return (
    <div className="grid gap-4 border-t bg-surface px-3 py-3">
      {error ? (
        <p className="[overflow-wrap:anywhere]">
          <TextWithTimes>{error}</TextWithTimes>
        </p>
      ) : null}
      {rules.length > 0 ? <Rules rules={rules} /> : null}
      {happened ? <Waterfall times={times} columns={[{ label: 'Time', times }]} /> : null}
      <DetailList
        facts={[
          ['Resolved to', addresses.length > 0 ? <Mono key="addresses">{addresses.join(', ')}</Mono> : null],
          ['Connection', connectionsOf(attempt) && <Mono key="connections">{connectionsOf(attempt)}</Mono>],
          ['Certificate', certificateOf(attempt)],
          ['Fingerprint', certificate?.fingerprint ? <Mono key="print">{certificate.fingerprint}</Mono> : null],
        ]}
      />
      {exchanges.map((exchange, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no identity but their order, which is final
        <ExchangeView key={index} exchange={exchange} url={index === 0 ? url : null} />
      ))}
    </div>
  );
}

function Mono({ children }: { children: React.ReactNode }) {
  return <span className="font-mono text-small">{children}</span>;
}

function Rules({ rules }: Pick<CheckAttempt, 'rules'>) {
  return (
    <div className="grid gap-1">
      <h4 className={heading}>Rules</h4>
      <ul className="divide-y">
        {rules.map(({ rule, value, isMet }) => (
          <li key={rule} className="flex flex-wrap items-baseline gap-x-3 py-1">
            <span data-state={isMet ? 'up' : 'down'} className="inline-flex items-center gap-1.5 text-s-fg">
              <Icon name={isMet ? 'check' : 'x'} small />
              <span className="sr-only">{isMet ? 'Passed:' : 'Failed:'}</span>
            </span>
            <span className="min-w-0 flex-1 font-mono text-small [overflow-wrap:anywhere]">{rule}</span>
            <span className="min-w-0 font-mono text-small text-muted [overflow-wrap:anywhere]">
              {value ?? <span className="font-sans text-faint">no value</span>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
