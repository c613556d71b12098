import type { Metadata } from 'next';
import { AuditLog } from '@/app/_components/audit/audit-log';
import { PageHead } from '@/app/_components/ui/page';

export const metadata: Metadata = { title: 'Audit' };

export default function InstanceAuditPage() {
  return (
    <>
      <PageHead title="Audit" note="Every change on this instance" />
      <AuditLog of="instance" />
    </>
  );
}
