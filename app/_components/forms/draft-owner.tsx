'use client';

import { createContext, useContext } from 'react';

const DraftOwner = createContext('');

/** Whose drafts the forms below keep and find, by the person's ID. */
export const DraftOwnerProvider = DraftOwner.Provider;

/** The ID of the person who is signed in. */
export function useDraftOwner(): string {
  return useContext(DraftOwner);
}
