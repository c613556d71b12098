import { type AppError, invalidField } from '@/server/platform/errors';

/** The form in which component names of a page are compared: without regard to case, width and repeated spaces. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
}

/** The error if two components of a page have the same name. */
export function nameTaken(): AppError {
  return invalidField('name', 'Another component of this page has this name.');
}
