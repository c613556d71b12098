import { Section } from '@/app/_components/page';
import { Timestamp } from '@/app/_components/time/time';
import type { EvidenceChange, VerdictEvidence } from '@/server/incidents/schema';

const subjects: Record<EvidenceChange['subject'], string> = {
  addresses: 'Addresses',
  certificate: 'Certificate',
  statusCode: 'Status code',
  latency: 'Latency',
  header: 'Header',
};

function labelOf({ subject, name }: EvidenceChange): string {
  if (subject === 'header') return name ?? '';
  return name === null ? subjects[subject] : `${subjects[subject]}, ${name}`;
}

const cell = 'min-w-0 px-3 py-2 text-left align-top font-normal [overflow-wrap:anywhere]';
const value = `${cell} font-mono text-small max-sm:pt-0`;

/** The differences between the last good check and the first that counted against it. */
export function Changes({ evidence: { lastGood, changes, attempts } }: { evidence: VerdictEvidence }) {
  const [first] = attempts;
  if (!lastGood || !first) return null;
  return (
    <Section title="What changed" note="since the last good check">
      {changes.length === 0 ? (
        <p className="text-muted">
          No other changes. Addresses, certificate, status code, latency and headers are the same as in the last good
          check, at <Timestamp at={lastGood.at} /> in {lastGood.region}.
        </p>
      ) : (
        <div className="overflow-hidden rounded-3 border bg-surface">
          <table aria-label="What changed" className="w-full table-fixed max-sm:block">
            <thead className="border-b text-small text-muted max-sm:block">
              <tr className="max-sm:grid max-sm:grid-cols-2">
                <th scope="col" className="w-[150px] max-sm:hidden">
                  <span className="sr-only">Value</span>
                </th>
                <th scope="col" className={cell}>
                  Last good check, <Timestamp at={lastGood.at} /> {lastGood.region}
                </th>
                <th scope="col" className={cell}>
                  {first.status === 'down' ? 'First failure' : 'First slow check'}, <Timestamp at={first.at} />{' '}
                  {first.region}
                </th>
              </tr>
            </thead>
            <tbody className="divide-y max-sm:block">
              {changes.map((change) => (
                <tr key={labelOf(change)} className="max-sm:grid max-sm:grid-cols-2">
                  <th scope="row" className={`${cell} text-muted max-sm:col-span-2 max-sm:pb-0.5`}>
                    {labelOf(change)}
                  </th>
                  <td className={value}>{change.before ?? <None />}</td>
                  <td className={`${value} font-medium`}>{change.after ?? <None />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

const None = () => <span className="font-sans text-faint">none</span>;
