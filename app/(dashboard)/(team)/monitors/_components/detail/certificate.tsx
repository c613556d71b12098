import { Facts, Section } from '@/app/_components/ui/page';
import { Stamp } from '@/app/_components/ui/since';
import { Until } from '@/app/_components/ui/spell';
import type { MonitorDetail } from '@/server/monitors/schema';

/** The certificate that the last check received: subject, issuer, expiry. */
export function CertificateFacts({ certificate }: { certificate: NonNullable<MonitorDetail['certificate']> }) {
  const { subject, issuer, validTo } = certificate;
  const isOver = Date.parse(validTo) <= Date.now();
  return (
    <Section title="Certificate">
      <Facts
        facts={[
          ['Subject', subject || 'None'],
          ['Issuer', issuer || 'None'],
          [
            isOver ? 'Expired' : 'Expires',
            isOver ? <Stamp key="over" at={validTo} full /> : <Until key="until" at={validTo} />,
          ],
          ['Valid until', isOver ? null : <Stamp key="until" at={validTo} full />],
        ]}
      />
    </Section>
  );
}
