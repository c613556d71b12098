import type { ChannelDefinition } from '../definition';
import { saveResponseBodyField } from '../fields';
import { CustomConfig } from './config';

export const custom = {
  label: 'Custom request',
  category: 'automation',
  summary: 'Your own HTTP request',
  schema: CustomConfig,
  fields: {
    method: {
      label: 'Method',
      kind: 'select',
      optional: true,
      options: ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'].map((value) => ({ value, label: value })),
    },
    url: {
      label: 'URL',
      kind: 'url',
      placeholder: 'https://api.northwind.example/alerts/{{incident.id}}',
      help: 'Placeholders are allowed in the path and the query.',
    },
    contentType: {
      label: 'Content type',
      kind: 'select',
      optional: true,
      options: [
        { value: 'json', label: 'JSON' },
        { value: 'form', label: 'Form' },
        { value: 'text', label: 'Plain text' },
      ],
      help: 'Placeholder values are escaped for this format.',
    },
    headers: {
      label: 'Headers',
      kind: 'multiline',
      optional: true,
      placeholder: 'Authorization: Bearer …',
      help: 'One header per line.',
    },
    body: {
      label: 'Body',
      kind: 'multiline',
      optional: true,
      help: 'Put credentials into the headers, which are stored encrypted.',
    },
    saveResponseBody: saveResponseBodyField,
  },
  description: 'Any HTTP request, with placeholders in its path, query, headers and body. Nothing is evaluated.',
  secrets: { url: 'url', headers: 'credential' },
  endpoint: 'url',
  destination: ({ url }) => url,
  mirrorsIncidents: true,
} satisfies ChannelDefinition<CustomConfig>;
