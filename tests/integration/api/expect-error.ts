import { expect } from 'vitest';
import type { rest } from '@/tests/support/rest';

const envelope = { code: expect.any(String), message: expect.any(String), status: expect.any(Number) };

/** Expects the error envelope and nothing else. */
export function expectError(answer: Awaited<ReturnType<typeof rest>>, status: number, code: string): void {
  expect(answer.body).toEqual({
    error: { ...envelope, code, status, ...(code === 'VALIDATION_ERROR' && { issues: expect.any(Array) }) },
  });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(answer.headers.get('x-request-id')).toBeTruthy();
}
