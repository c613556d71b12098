import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { PolicyWarnings } from '@/app/(dashboard)/(team)/on-call/_components/policy-warnings';
import type { PolicyWarning } from '@/server/on-call/schema';

/** The texts of the warnings on the page of a policy. */
function shown(warnings: PolicyWarning[]): string[] {
  const html = renderToStaticMarkup(<PolicyWarnings warnings={warnings} />);
  return html
    .replace(/<\/?(?:li|p|div|ul|h\d)\b[^>]*>/g, '\n')
    .replace(/<[^>]+>/g, '')
    .split('\n')
    .filter((text) => text !== '');
}

const noMethod: PolicyWarning = { step: 2, code: 'no_contact_method', message: 'Mara has no contact method.' };
const nobody: PolicyWarning = { step: null, code: 'nobody_reached', message: 'No step can notify anybody now.' };

it('warns on the page of a policy about a person without a contact method, with the step', () => {
  expect(shown([noMethod])).toEqual(['1 warning', 'Step 2: Mara has no contact method.']);
});

it('shows what concerns the whole policy without a step', () => {
  expect(shown([nobody, noMethod])).toEqual(['2 warnings', nobody.message, 'Step 2: Mara has no contact method.']);
});

it('shows nothing without warnings', () => {
  expect(shown([])).toEqual([]);
});
