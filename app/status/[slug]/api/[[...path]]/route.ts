export {
  getStatuspage as DELETE,
  getStatuspage as GET,
  getStatuspage as HEAD,
  getStatuspage as OPTIONS,
  getStatuspage as PATCH,
  getStatuspage as POST,
  getStatuspage as PUT,
} from '@/server/api/statuspage-api';
