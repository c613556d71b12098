import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Email, LogInInput, NewPassword, SignUpInput } from '@/server/auth/schema';

describe('email address schema', () => {
  it('trims and lower-cases an address', () => {
    expect(Email.parse('  Ada@Example.COM ')).toBe('ada@example.com');
  });

  it.each([
    '',
    'ada',
    'ada@',
    '@example.com',
    'a b@example.com',
    'ada@example.com\nbcc: x@y.z',
    `${'a'.repeat(250)}@b.co`,
  ])('rejects %j', (text) => expect(Email.safeParse(text).success).toBe(false));
});

describe('new password schema', () => {
  it.each([
    ['nine characters', 'a'.repeat(9), false],
    ['ten characters', 'a'.repeat(10), true],
    ['nine code points in eighteen code units', '😀'.repeat(9), false],
    ['ten code points', '😀'.repeat(10), true],
    ['200 code points', '😀'.repeat(200), true],
    ['201 characters', 'a'.repeat(201), false],
    ['a megabyte', 'a'.repeat(1_000_000), false],
  ])('%s', (_name, password, good) => expect(NewPassword.safeParse(password).success).toBe(good));

  it('keeps surrounding whitespace', () => {
    expect(NewPassword.parse('  ten chars ')).toBe('  ten chars ');
  });

  it('publishes the length of a password and the format of an address in JSON Schema', () => {
    const { properties } = z.toJSONSchema(SignUpInput, { io: 'input' });
    expect(properties).toMatchObject({ password: { minLength: 10, maxLength: 200 }, email: { format: 'email' } });
  });
});

describe('name schema', () => {
  it.each(['a\r\nb', 'a\u0000b', 'x'.repeat(101)])('rejects %j', (name) => {
    expect(SignUpInput.safeParse({ email: 'a@b.co', password: 'a'.repeat(10), name }).success).toBe(false);
  });
});

it('accepts any password when signing in', () => {
  expect(LogInInput.safeParse({ email: 'a@b.co', password: 'x' }).success).toBe(true);
  expect(LogInInput.safeParse({ email: 'a@b.co', password: '' }).success).toBe(false);
});
