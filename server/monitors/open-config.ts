export { openConfig } from './config-secrets';
