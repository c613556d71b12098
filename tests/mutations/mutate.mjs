// @ts-check
import { resolve } from 'node:path';
import { mutations } from './mutations.mjs';

/**
 * A plugin of Vite that applies the mutation whose index is in MUTATION to its file while the file is loaded. Without MUTATION, it changes nothing.
 * @returns {import('vite').Plugin[]}
 */
export function mutate() {
  const mutation = process.env.MUTATION ? mutations[Number(process.env.MUTATION)] : undefined;
  if (!mutation) return [];
  const { file, from, to } = mutation;
  return [
    {
      name: 'mutate',
      enforce: 'pre',
      transform: (code, id) => (id === resolve(file) ? code.replace(from, () => to) : undefined),
    },
  ];
}
