export { getAllowance as OPTIONS, getSummary as GET } from '@/server/api/public-status';
