'use client';

import * as Radix from 'radix-ui/dropdown-menu';
import { useRef } from 'react';
import { cn } from '@/app/_components/cn';
import { Icon, type IconName } from '@/app/_components/ui/icon';

const itemClass =
  'flex min-h-10 cursor-pointer items-center gap-2.5 rounded-[5px] px-2 outline-none select-none data-disabled:cursor-not-allowed data-disabled:text-disabled data-highlighted:bg-active sm:min-h-[30px] [&>svg]:text-muted';

export interface DropdownMenuProps {
  /** The button that opens the menu. */
  trigger: React.ReactElement;
  align?: 'start' | 'end';
  children: React.ReactNode;
}

/** A menu that is open at first, by a key if `isByKey`: that selects the first item. */
export function Menu({ trigger, align = 'end', children, isByKey }: DropdownMenuProps & { isByKey: boolean }) {
  // Radix did not see the key that opened the menu the first time.
  const entersByKey = useRef(isByKey);
  return (
    <Radix.Root modal={false} defaultOpen>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onFocus={({ target, currentTarget }) => {
            if (target !== currentTarget || !entersByKey.current) return;
            entersByKey.current = false;
            currentTarget.querySelector<HTMLElement>('[role^="menuitem"]:not([data-disabled])')?.focus();
          }}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-[200px] max-w-[calc(100vw-16px)] overflow-y-auto animate-pop rounded-3 border bg-raised p-1 shadow-2"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export interface DropdownMenuItemProps {
  icon?: IconName;
  /** A destructive action. It opens a confirmation, so its label ends in "…". */
  danger?: boolean;
  disabled?: boolean;
  /** Renders its only child (such as a link) with the item's style. */
  asChild?: boolean;
  onSelect?: () => void;
  children: React.ReactNode;
}

/** One action, or with `asChild` one link. */
export function Item({ icon, danger, disabled, asChild, onSelect, children }: DropdownMenuItemProps) {
  return (
    <Radix.Item
      {...(asChild && { asChild })}
      {...(disabled && { disabled })}
      {...(onSelect && { onSelect: () => onSelect() })}
      className={cn(itemClass, danger && 'text-down-fg')}
    >
      {asChild ? (
        children
      ) : (
        <>
          {icon ? <Icon name={icon} /> : null}
          {children}
        </>
      )}
    </Radix.Item>
  );
}

export interface DropdownMenuRadioGroupProps<Value extends string> {
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onValueChange: (value: Value) => void;
}

/** A radio group inside a menu. */
export function RadioGroup<Value extends string>({
  label,
  options,
  value,
  onValueChange,
}: DropdownMenuRadioGroupProps<Value>) {
  return (
    <Radix.RadioGroup
      value={value}
      onValueChange={(chosen) => {
        const option = options.find((each) => each.value === chosen);
        if (option) onValueChange(option.value);
      }}
    >
      <Label>{label}</Label>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} className={itemClass}>
          <span className="w-4 shrink-0">
            <Radix.ItemIndicator>
              <Icon name="check" className="text-accent-fg" />
            </Radix.ItemIndicator>
          </span>
          {option.label}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export interface DropdownMenuCheckboxItemProps {
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  children: React.ReactNode;
}

/** An option of a menu that can be on or off. The menu stays open. */
export function CheckboxItem(props: DropdownMenuCheckboxItemProps) {
  return (
    <Radix.CheckboxItem
      checked={props.checked}
      onCheckedChange={props.onCheckedChange}
      onSelect={(event) => event.preventDefault()}
      className={itemClass}
    >
      <span className="w-4 shrink-0">
        <Radix.ItemIndicator>
          <Icon name="check" className="text-accent-fg" />
        </Radix.ItemIndicator>
      </span>
      {props.children}
    </Radix.CheckboxItem>
  );
}

/** The heading of the items below. */
export function Label({ children }: { children: React.ReactNode }) {
  return <Radix.Label className="px-2 pt-1.5 pb-0.5 text-small text-faint">{children}</Radix.Label>;
}

/** A line between groups of items. */
export function Separator() {
  return <Radix.Separator className="-mx-1 my-1 border-t" />;
}
