import { RE2JS } from 're2js';
import { expect, it, vi } from 'vitest';
import { search } from '@/server/monitor-types/http/pattern';

it('keeps compiled patterns, but not more than some megabytes of them', () => {
  const compile = vi.spyOn(RE2JS, 'compile');
  const sourceOf = (index: number) => `${'[a-b]{999}'.repeat(9)}${index}`;
  const compiled = (index: number) => {
    compile.mockClear();
    search(sourceOf(index), 'a');
    return compile.mock.calls.length;
  };
  expect([compiled(0), compiled(0)]).toEqual([1, 0]);
  for (let index = 1; index < 60; index += 1) compiled(index);
  expect([compiled(59), compiled(0)]).toEqual([0, 1]);
});
