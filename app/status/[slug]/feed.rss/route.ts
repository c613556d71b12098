export { getAllowance as OPTIONS, getRssFeed as GET } from '@/server/api/public-status';
