'use client';

import { useEffect, useState } from 'react';
import { copyText } from '@/app/_components/copy-text';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';

export interface CopyButtonProps {
  text: string;
  /** The accessible name of an icon-only button: "Copy URL". With `children`, the button has a visible label. */
  label: string;
  children?: React.ReactNode;
}

/** Copies a text. Shows a check icon for two seconds and announces "Copied". */
export function CopyButton({ text, label, children }: CopyButtonProps) {
  const [result, setResult] = useState<'copied' | 'refused' | null>(null);
  useEffect(() => {
    if (!result) return;
    const timer = setTimeout(() => setResult(null), 2000);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async (event: React.MouseEvent<HTMLButtonElement>) => {
    setResult((await copyText(text, event.currentTarget)) ? 'copied' : 'refused');
  };
  const said = result === 'copied' ? 'Copied' : result === 'refused' ? 'Not copied' : '';
  return (
    <>
      <Button
        size="small"
        square={!children}
        variant={children ? 'plain' : 'ghost'}
        onClick={copy}
        aria-label={children ? undefined : label}
      >
        <Icon name={result === 'copied' ? 'check' : 'copy'} small />
        {children ? said || children : null}
      </Button>
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  );
}
