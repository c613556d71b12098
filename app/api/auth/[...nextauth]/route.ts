export {
  handleNextAuth as DELETE,
  handleNextAuth as GET,
  handleNextAuth as HEAD,
  handleNextAuth as OPTIONS,
  handleNextAuth as PATCH,
  handleNextAuth as POST,
  handleNextAuth as PUT,
} from '@/server/api/next-auth';

export const dynamic = 'force-dynamic';
