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
  /** Sentences on how it differs from the original. */
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
  /** Components without a monitor, which follow the monitors. */
  components: { name: string; description: string }[];
}

/** An object of the file that cannot be carried over, and why. */
export interface LeftOut {
  kind: ImportKind;
  name: string;
  from: string;
  reason: string;
}

/** The content of a file as inputs for objects of Upwatch, whatever tool wrote the file. */
export interface Draft {
  /** Identifies the installation of the other tool, because different installations use the same IDs. */
  instance: string;
  /** The version of the other tool; null if unknown. */
  version: string | null;
  channels: DraftChannel[];
  monitors: DraftMonitor[];
  windows: DraftWindow[];
  pages: DraftPage[];
  leftOut: LeftOut[];
  /** Sentences that apply to the whole file. */
  notes: string[];
}

/** Thrown if a file cannot be read. The message says what to do. */
export class UnreadableFile extends OwnError {
  static override readonly kind: string = 'UnreadableFile';

  /** @param field the field of the request that is wrong, so that the file can be read with another value; null if the file itself is wrong */
  constructor(
    message: string,
    readonly field: string | null = null,
  ) {
    super(message);
  }
}

/** Thrown if an object cannot be carried over. The message says why. */
export class NotCarriedOver extends OwnError {
  static override readonly kind: string = 'NotCarriedOver';
}

/** Trims a text and shortens it to a number of characters. */
export const cut = (text: string, most: number) => [...text.trim().slice(0, 2 * most)].slice(0, most).join('').trim();

/** Converts a text to a tag: in lowercase, on one line, at most 50 characters. */
const toTag = (text: string) => cut(text.toLowerCase().replaceAll(/\s+/g, ' '), 50);

const MOST_TAGS = 20;

/** Converts texts to distinct tags, at most as many as a monitor can have. */
export const toTags = (texts: string[]) => [...new Set(texts.map(toTag).filter(Boolean))].slice(0, MOST_TAGS);

/** @throws NotCarriedOver with the first issue if the schema rejects the input */
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

/**
 * Collects the objects of a file in a draft. An object that cannot be carried over, or that a schema of Upwatch rejects, is listed with the reason.
 */
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

  /** Adds a monitor. By default, it alerts all channels of the team, gets a new ping URL, and has no history. */
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

  /**
   * Checks that a key is neither empty nor used before, because later imports find objects by it. Keys of objects that were left out are free.
   * @throws NotCarriedOver
   */
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

  /**
   * Runs `make`; if that throws, lists the object as left out with the reason.
   * @throws UnreadableFile if the file has too many objects, or `make` throws it
   */
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
