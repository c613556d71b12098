export { maintenanceFeed as GET } from '@/server/api/calendar-feed';

export const dynamic = 'force-dynamic';
