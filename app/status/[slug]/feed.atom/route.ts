export { getAllowance as OPTIONS, getAtomFeed as GET } from '@/server/api/public-status';
