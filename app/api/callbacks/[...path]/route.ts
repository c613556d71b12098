import { handleChannelCallback } from '@/server/api/channel-callback';

export const dynamic = 'force-dynamic';

export {
  handleChannelCallback as DELETE,
  handleChannelCallback as GET,
  handleChannelCallback as HEAD,
  handleChannelCallback as OPTIONS,
  handleChannelCallback as PATCH,
  handleChannelCallback as POST,
  handleChannelCallback as PUT,
};
