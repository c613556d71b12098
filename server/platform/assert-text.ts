import { invalidField } from './errors';

/**
 * Rejects text that PostgreSQL cannot store (NUL), text that is not well-formed Unicode, and the key `__proto__`, which schemas ignore, anywhere in
 * the input. Iterative, because a body may be nested as deep as its size allows.
 * @throws AppError VALIDATION_ERROR
 */
export function assertText(input: unknown): void {
  const rest: { path: string; value: unknown }[] = [{ path: '', value: input }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { path, value } = next;
    if (typeof value === 'string') {
      if (value.includes('\u0000') || !value.isWellFormed()) {
        throw invalidField(path, 'Text cannot contain NUL or unpaired surrogates.');
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (key.includes('\u0000') || !key.isWellFormed()) {
          throw invalidField(path, 'Field names cannot contain NUL or unpaired surrogates.');
        }
        const below = path && path.length < 200 ? `${path}.${key}` : path || key;
        if (key === '__proto__') throw invalidField(below, 'This field name is not allowed.');
        rest.push({ path: below, value: inner });
      }
    }
  }
}
