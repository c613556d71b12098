export {
  heartbeat as DELETE,
  heartbeat as GET,
  heartbeat as HEAD,
  heartbeat as OPTIONS,
  heartbeat as PATCH,
  heartbeat as POST,
  heartbeat as PUT,
} from '@/server/api/heartbeat';

export const dynamic = 'force-dynamic';
