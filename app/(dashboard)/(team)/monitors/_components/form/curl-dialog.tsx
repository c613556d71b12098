'use client';

import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field } from '@/app/_components/ui/field';
import { Textarea } from '@/app/_components/ui/textarea';
import { type CurlRequest, LONGEST_COMMAND, readCurl } from './read-curl';

export interface CurlDialogProps {
  onClose: () => void;
  onRead: (request: CurlRequest) => void;
}

/** Asks for a cURL command and reads it in the browser. */
export function CurlDialog({ onClose, onRead }: CurlDialogProps) {
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const read = () => {
    const request = readCurl(text);
    if ('fault' in request) setFault(request.fault);
    else onRead(request);
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Paste a cURL command"
      description="It fills in the form of an HTTP monitor; nothing is saved yet. Credentials are stored encrypted."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={read}>
            Fill in the form
          </Button>
        </>
      }
    >
      <Field label="Command" error={fault}>
        <Textarea
          mono
          rows={7}
          maxLength={LONGEST_COMMAND + 1}
          placeholder="curl https://northwind.example/health -H 'Accept: application/json'"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setFault(undefined);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) read();
          }}
        />
      </Field>
    </Dialog>
  );
}
