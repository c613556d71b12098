import { type AppError, invalidField } from '@/server/platform/errors';

/** Normalizes the name of a component for comparison: ignores case, width and repeated spaces. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
}

/** Returns the error for two components of a page with the same name. */
export function nameTaken(): AppError {
  return invalidField('name', 'Another component of this page has this name.');
}
