'use client';

import { createContext, useContext } from 'react';

const DraftOwner = createContext('');

/** Provides the ID of the user who owns the drafts of the forms inside. */
export const DraftOwnerProvider = DraftOwner.Provider;

/** The ID of the signed-in user. */
export function useDraftOwner(): string {
  return useContext(DraftOwner);
}
