export { getAllowance as OPTIONS, getVersion as GET } from '@/server/api/public-status';
