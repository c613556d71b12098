export { default } from '@/app/(dashboard)/(team)/layout';
