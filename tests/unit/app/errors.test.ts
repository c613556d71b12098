import { TRPCClientError } from '@trpc/client';
import { describe, expect, it, vi } from 'vitest';
import { readApiError, toFieldErrors } from '@/app/_trpc/errors';

/** The error that the client creates from the server's answer. */
function answered(error: object, requestId = '01KREQ') {
  const response = new Response(null, { headers: { 'x-request-id': requestId } });
  return TRPCClientError.from({ error: { message: 'x', code: -32600, data: { error } } } as never, {
    meta: { response },
  });
}

const invalid = (issues: { path: string; message: string }[]) =>
  answered({ code: 'VALIDATION_ERROR', message: 'Not valid.', status: 400, issues });

describe('readApiError', () => {
  it("returns the server's message and the request ID", () => {
    const error = answered({ code: 'NOT_FOUND', message: 'There is no such monitor.', status: 404 });
    expect(readApiError(error)).toEqual({
      code: 'NOT_FOUND',
      message: 'There is no such monitor.',
      status: 404,
      requestId: '01KREQ',
    });
  });

  it('adds the request ID to the message of an internal error', () => {
    const error = answered({ code: 'INTERNAL', message: 'See the header.', status: 500 });
    expect(readApiError(error).message).toBe('Something went wrong. Request ID: 01KREQ.');
  });

  it('reports other failures as UNREACHABLE', () => {
    for (const error of [new TypeError('fetch failed'), TRPCClientError.from(new Error('x')), null, 'x']) {
      expect(readApiError(error)).toMatchObject({ code: 'UNREACHABLE', status: 0 });
    }
  });
});

describe('toFieldErrors', () => {
  interface Values {
    name: string;
    tags: string[];
    config: { url: string; headers: string };
  }
  const fields = ['name', 'tags', 'config.url', 'config.headers'] as const;

  it('sets issues on their fields and focuses the first', () => {
    const setError = vi.fn();
    const rest = toFieldErrors<Values>(
      invalid([
        { path: 'config.url', message: 'Not a URL.' },
        { path: 'name', message: 'Too long.' },
      ]),
      setError,
      fields,
    );
    expect(rest).toBeNull();
    expect(setError.mock.calls).toEqual([
      ['config.url', { type: 'server', message: 'Not a URL.' }, { shouldFocus: true }],
      ['name', { type: 'server', message: 'Too long.' }, { shouldFocus: false }],
    ]);
  });

  it('sets an issue inside a list or object on its parent field', () => {
    const setError = vi.fn();
    toFieldErrors<Values>(invalid([{ path: 'tags.0', message: 'Lower case.' }]), setError, fields);
    expect(setError).toHaveBeenCalledWith('tags', expect.anything(), expect.anything());
  });

  it('does not match a field by a prefix of its name', () => {
    const setError = vi.fn();
    const rest = toFieldErrors<Values>(invalid([{ path: 'nameless', message: 'Unknown.' }]), setError, fields);
    expect(setError).not.toHaveBeenCalled();
    expect(rest).toBe('nameless: Unknown.');
  });

  it('returns the message if there are no issues', () => {
    const error = answered({ code: 'PLAN_LIMIT_REACHED', message: 'The plan allows 20 monitors.', status: 402 });
    expect(toFieldErrors<Values>(error, vi.fn(), fields)).toBe('The plan allows 20 monitors.');
  });
});
