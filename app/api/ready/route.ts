export {
  ready as GET,
  refuseMethod as DELETE,
  refuseMethod as OPTIONS,
  refuseMethod as PATCH,
  refuseMethod as POST,
  refuseMethod as PUT,
} from '@/server/api/health';

export const dynamic = 'force-dynamic';
