import type { z } from 'zod';
import { CreateMaintenanceWindowInput } from '@/server/maintenance/schema';
import { CreateMonitorInput } from '@/server/monitor-types/schema';
import { CreateChannelInput } from '@/server/notifications/schema';
import { assertText } from '@/server/platform/assert-text';
import { AppError } from '@/server/platform/errors';
import { OwnError } from '@/server/platform/own-error';
import { CreateStatusPageInput } from '@/server/status-pages/schema';
import type { ImportKind } from './schema';

/** The maximum number of objects of one file. */
export const MOST_OBJECTS = 5_000;

/** An object of a file. `key` is its ID there; `from` is what the other tool calls its type. */
interface Item {
  key: string;
  name: string;
  from: string;
  /** How it differs from the original. */
  notes: string[];
}

/** The checks of a day (whole days since 1970, UTC) by result. */
export type DraftDay = [day: number, up: number, down: number, maintenance: number];

export interface DraftMonitor extends Item {
  input: CreateMonitorInput;
  /** The keys of its channels; null for all channels of the team. */
  channelKeys: string[] | null;
  /** The token of its ping URL in the other tool. */
  pingToken: string | null;
  days: DraftDay[];
}

export interface DraftChannel extends Item {
  input: CreateChannelInput;
}

export interface DraftWindow extends Item {
  input: CreateMaintenanceWindowInput;
  monitorKeys: string[];
}

export interface DraftPage extends Item {
  input: CreateStatusPageInput;
  /** In the order of the page. */
  monitorKeys: string[];
  /** The components without a monitor, after them. */
  components: { name: string; description: string }[];
}

/** What cannot be carried over, and why. */
export interface LeftOut {
  kind: ImportKind;
  name: string;
  from: string;
  reason: string;
}

/** A file as objects of Upwatch, whatever tool wrote it. */
export interface Draft {
  /** Distinguishes installations of the other tool, whose IDs are the same. */
  instance: string;
  /** The version of the other tool, as far as it is known. */
  version: string | null;
  channels: DraftChannel[];
  monitors: DraftMonitor[];
  windows: DraftWindow[];
  pages: DraftPage[];
  leftOut: LeftOut[];
  /** What applies to the whole file. */
  notes: string[];
}

/** The file cannot be read; the message says what to do. */
export class UnreadableFile extends OwnError {
  static override readonly kind: string = 'UnreadableFile';

  /** @param field the field of the request whose value is wrong, so that the file may be read with another one; null if the file is */
  constructor(
    message: string,
    readonly field: string | null = null,
  ) {
    super(message);
  }
}

/** An object cannot be carried over; the message says why. */
export class NotCarriedOver extends OwnError {
  static override readonly kind: string = 'NotCarriedOver';
}

/** Shortens a text to a number of characters. */
export const cut = (text: string, most: number) => [...text.trim().slice(0, 2 * most)].slice(0, most).join('').trim();

/** A line of text as a tag: lowercase, on one line, without surrounding spaces. */
const toTag = (text: string) => cut(text.toLowerCase().replaceAll(/\s+/g, ' '), 50);

const MOST_TAGS = 20;

/** Distinct tags, at most as many as a monitor can have. */
export const toTags = (texts: string[]) => [...new Set(texts.map(toTag).filter(Boolean))].slice(0, MOST_TAGS);

function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  assertText(input);
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw new NotCarriedOver(`${path === '' ? '' : `${path}: `}${issue?.message ?? 'It is not valid here.'}`);
}

type Input<Drafted extends { input: unknown }> = Omit<Drafted, 'input' | 'key' | 'name' | 'from' | 'notes'> & {
  input: unknown;
  notes?: string[];
};
type Labels = Pick<Item, 'key' | 'name' | 'from'>;

/** Collects the objects of a file. An object that the schemas of Upwatch refuse is left out with the reason. */
export class DraftBuilder {
  readonly draft: Draft = {
    instance: '',
    version: null,
    channels: [],
    monitors: [],
    windows: [],
    pages: [],
    leftOut: [],
    notes: [],
  };
  private count = 0;
  private readonly keys = new Set<string>();

  /** Without channels, a ping token or days: all channels of the team, a new ping URL, no history. */
  addMonitor(labels: Labels, make: () => Partial<Input<DraftMonitor>>): void {
    this.add('monitor', labels, () => {
      const { input, notes = [], channelKeys = null, pingToken = null, days = [] } = make();
      const parsed = parse(CreateMonitorInput, input);
      this.assertNew('monitor', labels.key);
      this.draft.monitors.push({ ...labels, notes, channelKeys, pingToken, days, input: parsed });
    });
  }

  /** Adds the channels that a notification becomes, all or none. */
  addChannels(labels: Labels, make: () => (Input<DraftChannel> & { key: string })[]): void {
    this.add('channel', labels, () => {
      const made = make().map(({ input, notes = [], key }) => {
        const parsed = parse(CreateChannelInput, input);
        return { ...labels, key, notes, name: parsed.name, input: parsed };
      });
      this.draft.channels.push(...made);
    });
  }

  addWindow(labels: Labels, make: () => Input<DraftWindow>): void {
    this.add('window', labels, () => {
      const { input, notes = [], ...rest } = make();
      this.draft.windows.push({ ...labels, ...rest, notes, input: parse(CreateMaintenanceWindowInput, input) });
    });
  }

  addPage(labels: Labels, make: () => Input<DraftPage>): void {
    this.add('page', labels, () => {
      const { input, notes = [], ...rest } = make();
      const page = { ...labels, ...rest, notes, input: parse(CreateStatusPageInput, input) };
      this.assertNew('page', labels.key);
      this.draft.pages.push(page);
    });
  }

  /** Keys identify objects, also in a later import. One that was left out does not count. */
  private assertNew(kind: ImportKind, key: string): void {
    if (key === '') throw new NotCarriedOver('It has no ID.');
    if (this.keys.has(`${kind}:${key}`)) throw new NotCarriedOver('It is in the file twice.');
    this.keys.add(`${kind}:${key}`);
  }

  /** Lists an object that is never carried over. */
  leaveOut({ kind, name, from, reason }: LeftOut): void {
    this.add(kind, { name, from, key: '' }, () => {
      throw new NotCarriedOver(reason);
    });
  }

  private add(kind: ImportKind, { name, from }: Labels, make: () => void): void {
    this.count += 1;
    if (this.count > MOST_OBJECTS) throw new UnreadableFile(`A file can have at most ${MOST_OBJECTS} objects.`);
    try {
      make();
    } catch (error) {
      if (error instanceof UnreadableFile) throw error;
      const isKnown = error instanceof NotCarriedOver || error instanceof AppError;
      this.draft.leftOut.push({ kind, name, from, reason: isKnown ? error.message : 'Its settings are damaged.' });
    }
  }
}
