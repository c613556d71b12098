export { openConfig } from './config/config-secrets';
