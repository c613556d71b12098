export { getAllowance as OPTIONS, getBadge as GET } from '@/server/api/public-status';
