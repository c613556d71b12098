'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { Section } from '@/app/_components/page';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { FieldError } from '@/app/_components/ui/field';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import { MAX_LOGO_BYTES } from '@/server/status-pages/schema';

/** Encodes a file in Base64. */
async function readBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  // In chunks, because a call has a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}

/** The page's logo. Saved at once, independently of the form beside it. */
export function LogoField({ id, logo }: { id: string; logo: string | null }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const inputId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string | null>(null);
  const options = (message: string) => ({
    onSuccess: () => {
      setError(null);
      toast(message);
      return queryClient.invalidateQueries(trpc.statusPages.pathFilter());
    },
    onError: (failure: unknown) => {
      const { issues, message: said } = readApiError(failure);
      setError(issues?.[0]?.message ?? said);
    },
  });
  const setting = useMutation(trpc.statusPages.setLogo.mutationOptions(options('Logo saved')));
  const removing = useMutation(trpc.statusPages.removeLogo.mutationOptions(options('Logo removed')));

  const choose = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > MAX_LOGO_BYTES) return setError('This file is larger than 512 KiB.');
    setting.mutate({ id, data: await readBase64(file) });
  };

  return (
    <Section title="Logo">
      <div className="flex flex-wrap items-center gap-4">
        <span className="grid h-16 w-40 place-items-center rounded-3 border bg-canvas p-2">
          {logo ? (
            // biome-ignore lint/performance/noImgElement: it is a data URL
            <img src={logo} alt="Current logo" className="max-h-full max-w-full object-contain" />
          ) : (
            <span className="text-small text-faint">No logo</span>
          )}
        </span>
        <span className="flex gap-2">
          <label htmlFor={inputId} className="sr-only">
            Logo file
          </label>
          <input
            ref={input}
            id={inputId}
            type="file"
            tabIndex={-1}
            accept="image/png,image/jpeg,image/webp"
            aria-describedby={`${inputId}-note`}
            onChange={(event) => {
              void choose(event.target.files?.[0]);
              // Allows the same file to be selected again after a change.
              event.target.value = '';
            }}
            className="sr-only"
          />
          <Button busy={setting.isPending} onClick={() => input.current?.click()}>
            {logo ? 'Replace logo' : 'Upload logo'}
          </Button>
          {logo ? (
            <Button variant="ghost" busy={removing.isPending} onClick={() => removing.mutate({ id })}>
              Remove
            </Button>
          ) : null}
        </span>
      </div>
      <div className="mt-2">
        {error ? (
          <FieldError id={`${inputId}-note`}>{error}</FieldError>
        ) : (
          <p id={`${inputId}-note`} className="text-small text-muted">
            PNG, JPEG or WebP, up to 512 KiB. Displayed at a height of 32 px.
          </p>
        )}
      </div>
    </Section>
  );
}
