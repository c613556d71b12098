import { DetailList, Section } from '@/app/_components/page';
import { Until } from '@/app/_components/time/duration';
import { Timestamp } from '@/app/_components/time/time';
import type { MonitorDetail } from '@/server/monitor-types/schema';

/** The certificate that the last check received: subject, issuer, expiry. */
export function CertificateFacts({ certificate }: { certificate: NonNullable<MonitorDetail['certificate']> }) {
  const { subject, issuer, validTo } = certificate;
  const isOver = Date.parse(validTo) <= Date.now();
  return (
    <Section title="Certificate">
      <DetailList
        facts={[
          ['Subject', subject || 'None'],
          ['Issuer', issuer || 'None'],
          [
            isOver ? 'Expired' : 'Expires',
            isOver ? <Timestamp key="over" at={validTo} full /> : <Until key="until" at={validTo} />,
          ],
          ['Valid until', isOver ? null : <Timestamp key="until" at={validTo} full />],
        ]}
      />
    </Section>
  );
}
