'use client';

import * as Radix from 'radix-ui/select';
import { cn } from '@/app/_components/cn';
import { Icon } from '@/app/_components/ui/icon';

export interface SelectOption<Value extends string> {
  value: Value;
  label: string;
  disabled?: boolean;
}

export interface OpenSelectProps {
  /** The button of the select, with its label and icon. */
  trigger: React.ReactElement;
  options: readonly SelectOption<string>[];
  value: string;
  onValueChange: (value: string) => void;
  name: string | undefined;
  disabled: boolean | undefined;
  mono: boolean | undefined;
}

/** A select that is open at first. */
export function OpenSelect({ trigger, options, value, onValueChange, name, disabled, mono }: OpenSelectProps) {
  return (
    <Radix.Root
      defaultOpen
      value={value}
      onValueChange={onValueChange}
      {...(name && { name })}
      {...(disabled && { disabled })}
    >
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) animate-pop overflow-hidden rounded-3 border bg-raised p-1 shadow-2"
        >
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                {...(option.disabled && { disabled: true })}
                className={cn(
                  'flex min-h-[30px] cursor-pointer items-center gap-2 rounded-[5px] px-2 outline-none data-disabled:cursor-not-allowed data-disabled:text-disabled data-highlighted:bg-active',
                  mono && 'mono',
                )}
              >
                <span className="w-3.5 shrink-0">
                  <Radix.ItemIndicator>
                    <Icon name="check" small className="text-accent-fg" />
                  </Radix.ItemIndicator>
                </span>
                <Radix.ItemText>{option.label}</Radix.ItemText>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
