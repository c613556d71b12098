export { getAllowance as OPTIONS, getLogo as GET } from '@/server/api/public-status';
