'use client';

import { Dialog as Radix } from 'radix-ui';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';
import { useOpener } from '@/app/_components/use-opener';

export interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: React.ReactNode;
  footer?: React.ReactNode;
  children: React.ReactNode;
}

/** Filters and quick edits: from the right with room, from the bottom on phones; the page behind stays readable. */
export function Sheet({ open, onOpenChange, title, footer, children }: SheetProps) {
  const opener = useOpener();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 max-sm:bg-overlay data-[state=open]:animate-fade-in" />
        <Radix.Content
          {...opener}
          aria-describedby={undefined}
          className="fixed inset-x-0 bottom-0 z-50 flex max-h-[85dvh] flex-col rounded-t-4 border bg-raised pb-[env(safe-area-inset-bottom)] shadow-3 outline-none data-[state=closed]:animate-rise-out data-[state=open]:animate-rise-in sm:inset-y-2 sm:right-2 sm:left-auto sm:max-h-none sm:w-[380px] sm:rounded-4 sm:pb-0 sm:data-[state=closed]:animate-slide-out sm:data-[state=open]:animate-slide-in"
        >
          <div aria-hidden="true" className="mx-auto mt-2 h-1 w-9 shrink-0 rounded-pill bg-strong sm:hidden" />
          <header className="flex items-center gap-2 border-b py-2.5 pr-3 pl-4">
            <Radix.Title className="grow font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <Button variant="ghost" size="small" square aria-label="Close" className="max-sm:size-10">
                <Icon name="x" />
              </Button>
            </Radix.Close>
          </header>
          <div className="grid min-h-0 content-start gap-3 overflow-y-auto px-4 py-3">{children}</div>
          {footer ? <footer className="mt-auto flex justify-end gap-2 border-t px-4 py-2.5">{footer}</footer> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
