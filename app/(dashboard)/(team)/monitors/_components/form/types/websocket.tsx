'use client';

import { useWatch } from 'react-hook-form';
import { completeAddress, suggestName } from '../../suggest-name';
import { AreaField, TextField, Two } from '../fields';
import { headerFields, headersInput, type InitialConfig } from '../figures';
import { HeadersEditor } from '../headers-editor';
import type { MonitorFields, WebSocketFields } from '../monitor-fields';
import { SaveResponseField, saveResponseField, saveResponseInput } from '../save-response-field';
import { useSuggestedName } from '../use-suggested-name';
import type { TypeForm } from './type-form';

export const websocket: TypeForm<InitialConfig<'websocket'>, WebSocketFields> = {
  label: 'WebSocket',
  note: 'Opens, responds',
  toFields: ({ url = '', headers, send = '', expect = '', saveResponseBody }) => {
    const choice = saveResponseField(saveResponseBody);
    return { url, headers: headerFields(headers), send, expect, saveResponseBody: choice };
  },
  toConfig: ({ url, headers, send, expect, saveResponseBody }) => ({
    url: completeAddress(url, 'wss'),
    headers: headersInput(headers),
    send: send || undefined,
    expect: expect || undefined,
    saveResponseBody: saveResponseInput(saveResponseBody),
  }),
  Target({ suggests }) {
    const url = useWatch<MonitorFields, 'websocket.url'>({ name: 'websocket.url' });
    useSuggestedName(suggestName(completeAddress(url, 'wss')), suggests);
    return (
      <TextField
        name="websocket.url"
        label="URL"
        mono
        inputMode="url"
        autoComplete="off"
        placeholder="wss://live.northwind.example/feed"
      />
    );
  },
  upWhen: 'The connection opens within the timeout.',
  Expected() {
    return (
      <Two>
        <AreaField name="websocket.send" label="Send" optional />
        <AreaField name="websocket.expect" label="Message contains" optional />
      </Two>
    );
  },
  Advanced() {
    return (
      <>
        <HeadersEditor name="websocket.headers" />
        <SaveResponseField type="websocket" />
      </>
    );
  },
  advanced: ['headers', 'saveResponseBody'],
  advancedTitle: 'Headers, response, confirmation',
};
