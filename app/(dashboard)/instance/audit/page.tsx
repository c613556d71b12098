import type { Metadata } from 'next';
import { AuditLog } from '@/app/_components/audit/audit-log';
import { Section } from '@/app/_components/page';

export const metadata: Metadata = { title: 'Audit log' };

export default function InstanceAuditPage() {
  return (
    <Section title="Audit log" note="All changes on this instance">
      <AuditLog of="instance" />
    </Section>
  );
}
