import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { AuditLog } from '@/app/_components/audit/audit-log';
import { Section } from '@/app/_components/page';
import { requirePerson } from '@/app/_trpc/server';

export const metadata: Metadata = { title: 'Audit log' };

export default async function AuditLogPage() {
  const { role } = await requirePerson();
  if (role !== 'owner' && role !== 'admin') notFound();
  return (
    <Section title="Audit log" note="All changes in this team">
      <AuditLog of="team" />
    </Section>
  );
}
