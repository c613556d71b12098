import { redirect } from 'next/navigation';

export default function OnCallPage() {
  redirect('/on-call/schedules');
}
