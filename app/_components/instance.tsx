'use client';

import { createContext, useContext } from 'react';

const SendsMail = createContext(true);

/** Provides whether the instance sends email. Without a mail server, administrators see the stored messages. */
export function InstanceProvider({ sendsMail, children }: { sendsMail: boolean; children: React.ReactNode }) {
  return <SendsMail value={sendsMail}>{children}</SendsMail>;
}

export function useSendsMail(): boolean {
  return useContext(SendsMail);
}
