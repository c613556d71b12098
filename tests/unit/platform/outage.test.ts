import { beforeEach, expect, it } from 'vitest';
import { Outage, StoreAwayError } from '@/server/platform/kv/outage';

const silence = new Error('silence');
const refusal = new Error('refusal');
let now = 0;
let calls = 0;
let outage: Outage;
beforeEach(() => {
  now = 0;
  calls = 0;
  outage = new Outage(
    (error) => error === refusal,
    () => now,
  );
});

const ask = (answer: Promise<string>) =>
  outage
    .ask(() => {
      calls += 1;
      return answer;
    })
    .catch((error: unknown) => error);
const silent = () => ask(Promise.reject(silence));
const good = () => ask(Promise.resolve('answer'));

it('calls a store that responds, also with errors', async () => {
  expect([await good(), await ask(Promise.reject(refusal)), await good()]).toEqual(['answer', refusal, 'answer']);
});

it('calls a store that does not respond once in 5 s, and normally once it responds', async () => {
  now = 1_000;
  expect(await silent()).toBe(silence);
  now = 5_999;
  expect(await good()).toBeInstanceOf(StoreAwayError);
  now = 6_000;
  expect(await silent()).toBe(silence);
  expect(await good()).toBeInstanceOf(StoreAwayError);
  expect(calls).toBe(2);
  now = 11_000;
  expect([await good(), await good()]).toEqual(['answer', 'answer']);
});

it('lets one caller probe for recovery while the others skip the store', async () => {
  await silent();
  now = 5_000;
  let answer = (_text: string) => {};
  const trying = ask(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  expect(await good()).toBeInstanceOf(StoreAwayError);
  answer('back');
  expect(await trying).toBe('back');
  expect(await good()).toBe('answer');
});
