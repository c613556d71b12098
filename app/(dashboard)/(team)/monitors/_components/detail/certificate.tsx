import { Facts, Section } from '@/app/_components/ui/page';
import { Stamp } from '@/app/_components/ui/since';
import { Until } from '@/app/_components/ui/spell';
import type { MonitorDetail } from '@/server/monitors/schema';

/** The certificate the last check saw: whose, by whom, until when. */
export function CertificateFacts({ certificate }: { certificate: NonNullable<MonitorDetail['certificate']> }) {
  const { subject, issuer, validTo } = certificate;
  const isOver = Date.parse(validTo) <= Date.now();
  return (
    <Section title="Certificate">
      <Facts
        facts={[
          ['For', subject || 'no name'],
          ['By', issuer || 'nobody named'],
          [
            isOver ? 'Expired' : 'Expires',
            isOver ? <Stamp key="over" at={validTo} full /> : <Until key="until" at={validTo} />,
          ],
          ['Good until', isOver ? null : <Stamp key="until" at={validTo} full />],
        ]}
      />
    </Section>
  );
}
