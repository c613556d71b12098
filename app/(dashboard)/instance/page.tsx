import { redirect } from 'next/navigation';

export default function InstancePage() {
  redirect('/instance/users');
}
