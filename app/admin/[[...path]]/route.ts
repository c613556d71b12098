export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from '@/server/api/rest/handle';
