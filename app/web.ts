// What the web process loads beside Next, as one bundle.
export { createRenderer } from '@/app/status/bundle';
export * from '@/server/api/front';
