'use client';

import * as Slot from 'radix-ui/slot';
import { createContext, useContext } from 'react';
import type {
  DropdownMenuCheckboxItemProps,
  DropdownMenuItemProps,
  DropdownMenuProps,
  DropdownMenuRadioGroupProps,
} from '@/app/_components/ui/dropdown-menu-content';
import { type LazyOverlay, useLazyOverlay } from '@/app/_components/ui/use-lazy-overlay';

type Content = typeof import('./dropdown-menu-content');

/** The components of an open menu. */
const Loaded = createContext<Content | null>(null);

const overlay: LazyOverlay<Content> = {
  load: () => import('./dropdown-menu-content'),
  keys: ['Enter', ' ', 'ArrowDown'],
};

/** A menu of actions. Until it is opened for the first time there is only its button: lists have hundreds of menus. */
export function DropdownMenu({ trigger, ...menu }: DropdownMenuProps) {
  const { opened, triggerProps } = useLazyOverlay(overlay);
  if (!opened) {
    return (
      <Slot.Root aria-haspopup="menu" {...triggerProps}>
        {trigger}
      </Slot.Root>
    );
  }
  const { content, isByKey } = opened;
  return (
    <Loaded value={content}>
      <content.Menu trigger={trigger} isByKey={isByKey} {...menu} />
    </Loaded>
  );
}

/** One action, or with `asChild` one link. */
export function DropdownMenuItem(props: DropdownMenuItemProps) {
  const content = useContext(Loaded);
  return content && <content.Item {...props} />;
}

/** A radio group inside a menu. */
export function DropdownMenuRadioGroup<Value extends string>(props: DropdownMenuRadioGroupProps<Value>) {
  const content = useContext(Loaded);
  return content && <content.RadioGroup {...props} />;
}

/** An option of a menu that can be on or off. The menu stays open. */
export function DropdownMenuCheckboxItem(props: DropdownMenuCheckboxItemProps) {
  const content = useContext(Loaded);
  return content && <content.CheckboxItem {...props} />;
}

/** The heading of the items below. */
export function DropdownMenuLabel({ children }: { children: React.ReactNode }) {
  const content = useContext(Loaded);
  return content && <content.Label>{children}</content.Label>;
}

/** A line between groups of items. */
export function DropdownMenuSeparator() {
  const content = useContext(Loaded);
  return content && <content.Separator />;
}
