'use client';

import { Tooltip as Radix } from 'radix-ui';

/** A few words about a control on hover and focus. Never the only place where something is said. */
export function Tooltip({
  text,
  side = 'top',
  children,
}: {
  text: React.ReactNode;
  side?: 'top' | 'right' | 'bottom';
  children: React.ReactElement;
}) {
  return (
    <Radix.Provider delayDuration={400}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            side={side}
            sideOffset={6}
            collisionPadding={8}
            className="z-50 max-w-[280px] animate-pop rounded-2 bg-inverse px-2 py-1 text-small text-inverse-ink shadow-2"
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
