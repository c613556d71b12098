import { refuseMethod } from '@/server/api/health';

export { metrics as GET } from '@/server/api/metrics';

export {
  refuseMethod as DELETE,
  refuseMethod as OPTIONS,
  refuseMethod as PATCH,
  refuseMethod as POST,
  refuseMethod as PUT,
};

export const dynamic = 'force-dynamic';
