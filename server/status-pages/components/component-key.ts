import { type AppError, invalidField } from '@/server/platform/errors';

/** A component's name as it is compared with others of its page: without regard to case, width and repeated spaces. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
}

/** The error of two components of a page with one name. */
export function nameTaken(): AppError {
  return invalidField('name', 'Another component of this page has this name.');
}
