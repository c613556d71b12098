import { cva, type VariantProps } from 'class-variance-authority';
import * as Slot from 'radix-ui/slot';
import { cn } from '@/app/_components/cn';

export const buttonClass = cva(
  [
    'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-2 border font-medium whitespace-nowrap select-none',
    'transition-[background-color,border-color] duration-fast ease-out focus-visible:rounded-2 [&_svg]:shrink-0',
    'disabled:border-border disabled:bg-sunken disabled:text-disabled disabled:shadow-none disabled:cursor-not-allowed',
    'aria-busy:cursor-progress',
  ],
  {
    variants: {
      variant: {
        plain: [
          'border-strong bg-surface text-ink shadow-1 hover:enabled:border-field hover:bg-hover active:bg-active [&_svg]:text-muted',
          'aria-pressed:border-accent-border aria-pressed:bg-accent-subtle aria-pressed:text-accent-fg aria-pressed:shadow-none aria-pressed:[&_svg]:text-current',
        ],
        primary: 'border-accent bg-accent text-accent-on shadow-1 hover:border-accent-hover hover:bg-accent-hover',
        ghost: 'border-transparent bg-transparent text-muted hover:bg-active hover:text-ink',
        danger: 'border-down-solid bg-down-solid text-down-on hover:border-down-solid hover:brightness-90',
      },
      size: {
        small: 'h-[26px] px-2 text-small',
        base: 'h-10 px-3 text-base sm:h-8',
        large: 'h-10 px-4 text-body',
      },
      square: { true: 'px-0', false: '' },
    },
    compoundVariants: [
      { square: true, size: 'small', class: 'w-[26px]' },
      { square: true, size: 'base', class: 'w-10 sm:w-8' },
      { square: true, size: 'large', class: 'w-10' },
    ],
    defaultVariants: { variant: 'plain', size: 'base', square: false },
  },
);

export interface ButtonProps extends React.ComponentProps<'button'>, VariantProps<typeof buttonClass> {
  /** Renders its only child (such as a link) with the button's style. */
  asChild?: boolean;
  /** Shows a spinner and ignores further clicks. */
  busy?: boolean | undefined;
}

/** A button. One `primary` per view; `danger` only in a confirmation; `square` for an icon alone, with an aria-label. */
export function Button({ asChild, busy, variant, size, square, className, children, onClick, ...props }: ButtonProps) {
  const classes = cn(buttonClass({ variant, size, square }), className);
  if (asChild) {
    return (
      <Slot.Root className={classes} {...(onClick && { onClick })} {...props}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type="button"
      className={classes}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...props}
    >
      {busy ? <Spinner /> : null}
      {children}
    </button>
  );
}

/** The spinner of a busy button. */
export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="size-3.5 shrink-0 animate-spin rounded-pill border-[1.5px] border-current border-r-transparent motion-reduce:animate-none"
    />
  );
}
