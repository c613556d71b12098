import { onCall, onCallReads, recurrence } from './calendars';
import { edits, expressions, lists, templates } from './expressions';
import { reads, refused } from './floods';
import { computations, handshakes } from './handshakes';
import { markdown, statusPage } from './markdown';
import type { Place } from './place';
import { anonymousRequests, bodies } from './requests';
import { callbacks, imports } from './uploads';
import { windows } from './windows';

/**
 * Every place where a team or visitor can cause work in the web process or the worker. `tests/hostile/answers` covers data that targets send after
 * handshakes.
 */
export const places: Place[] = [
  markdown,
  statusPage,
  onCall,
  onCallReads,
  recurrence,
  expressions,
  templates,
  anonymousRequests,
  bodies,
  lists,
  edits,
  handshakes,
  computations,
  reads,
  refused,
  windows,
  imports,
  callbacks,
];
