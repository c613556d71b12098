export { metrics as GET } from '@/server/api/health';

export const dynamic = 'force-dynamic';
