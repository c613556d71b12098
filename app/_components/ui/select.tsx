'use client';

import { Select as Radix } from 'radix-ui';
import { useSyncExternalStore } from 'react';
import { cn } from '@/app/_components/cn';
import { useControl } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';
import { controlClass } from '@/app/_components/ui/input';

export interface SelectOption<Value extends string> {
  value: Value;
  label: string;
  disabled?: boolean;
}

export interface SelectProps<Value extends string> {
  options: readonly SelectOption<Value>[];
  value: Value;
  onValueChange: (value: Value) => void;
  id?: string;
  name?: string;
  disabled?: boolean;
  /** `quiet`: without a border and as wide as its text, for toolbars. */
  look?: 'field' | 'quiet';
  mono?: boolean;
  className?: string;
  'aria-label'?: string;
  /** Suppresses the invalid state if the error belongs to another control. */
  'aria-invalid'?: false;
}

/** A select: Radix Select with a mouse, the native one on touch. Values cannot be empty. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { options, value, onValueChange, name, disabled, look = 'field', mono, className } = props;
  const control = useControl(props);
  const touch = useMedia('(pointer: coarse)');
  const classes = cn(
    controlClass,
    look === 'quiet' && 'w-auto border-strong font-medium sm:h-8',
    mono && 'font-mono tracking-[-0.01em]',
    className,
  );
  const choose = (chosen: string) => {
    const option = options.find((each) => each.value === chosen);
    if (option) onValueChange(option.value);
  };
  if (touch) {
    return (
      <span className={cn('relative inline-grid', look === 'field' && 'w-full')}>
        <select
          {...control}
          name={name}
          aria-label={props['aria-label']}
          disabled={disabled}
          value={value}
          onChange={(event) => choose(event.target.value)}
          className={cn(classes, 'appearance-none pr-8 sm:pr-8')}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon
          name="chevron-down"
          small
          className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-muted"
        />
      </span>
    );
  }
  return (
    <Radix.Root value={value} onValueChange={choose} {...(name && { name })} {...(disabled && { disabled })}>
      <Radix.Trigger
        {...control}
        aria-label={props['aria-label']}
        className={cn('inline-flex items-center justify-between gap-2 text-left', classes)}
      >
        <span className="truncate">
          {/* Radix knows the text of the choice only once it runs; the server renders it with this. */}
          <Radix.Value>{options.find((each) => each.value === value)?.label}</Radix.Value>
        </span>
        <Icon name="chevron-down" small className="text-muted" />
      </Radix.Trigger>
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

/** Whether a media query holds; false on the server and in the first render. */
function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    () => window.matchMedia(query).matches,
    () => false,
  );
}
