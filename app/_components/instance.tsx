'use client';

import { createContext, useContext } from 'react';

const SendsMail = createContext(true);

/** Tells the page whether the instance sends mail: without a mail server, what it would send waits with its administrators. */
export function InstanceProvider({ sendsMail, children }: { sendsMail: boolean; children: React.ReactNode }) {
  return <SendsMail value={sendsMail}>{children}</SendsMail>;
}

export function useSendsMail(): boolean {
  return useContext(SendsMail);
}
