export { askToUnsubscribe as GET, unsubscribeByMailProgram as POST } from '@/server/api/unsubscribe';

export const dynamic = 'force-dynamic';
