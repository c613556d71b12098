import { TRPCClientError } from '@trpc/client';
import { describe, expect, it, vi } from 'vitest';
import { readApiError, toFieldErrors } from '@/app/_trpc/errors';

/** An error as the client makes it of the server's answer. */
function answered(error: object, requestId = '01KREQ') {
  const response = new Response(null, { headers: { 'x-request-id': requestId } });
  return TRPCClientError.from({ error: { message: 'x', code: -32600, data: { error } } } as never, {
    meta: { response },
  });
}

const invalid = (issues: { path: string; message: string }[]) =>
  answered({ code: 'VALIDATION_ERROR', message: 'Not valid.', status: 400, issues });

describe('readApiError', () => {
  it("gives the server's words and the request id", () => {
    const error = answered({ code: 'NOT_FOUND', message: 'There is no such monitor.', status: 404 });
    expect(readApiError(error)).toEqual({
      code: 'NOT_FOUND',
      message: 'There is no such monitor.',
      status: 404,
      requestId: '01KREQ',
    });
  });

  it('puts the request id into the words of an internal error', () => {
    const error = answered({ code: 'INTERNAL', message: 'See the header.', status: 500 });
    expect(readApiError(error).message).toBe('Something went wrong. Request ID: 01KREQ.');
  });

  it('says that nothing answered, for anything else', () => {
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

  it('puts issues at their fields and focuses the first', () => {
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

  it('puts an issue inside a list or object at the field above it', () => {
    const setError = vi.fn();
    toFieldErrors<Values>(invalid([{ path: 'tags.0', message: 'Lower case.' }]), setError, fields);
    expect(setError).toHaveBeenCalledWith('tags', expect.anything(), expect.anything());
  });

  it('does not take a longer name for a field', () => {
    const setError = vi.fn();
    const rest = toFieldErrors<Values>(invalid([{ path: 'nameless', message: 'Unknown.' }]), setError, fields);
    expect(setError).not.toHaveBeenCalled();
    expect(rest).toBe('nameless: Unknown.');
  });

  it('gives the message where there are no issues', () => {
    const error = answered({ code: 'PLAN_LIMIT_REACHED', message: 'The plan allows 20 monitors.', status: 402 });
    expect(toFieldErrors<Values>(error, vi.fn(), fields)).toBe('The plan allows 20 monitors.');
  });
});
