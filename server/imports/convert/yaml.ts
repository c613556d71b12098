import { parseAllDocuments, type ToJSOptions, YAMLParseError } from 'yaml';
import { cut, UnreadableFile } from '../draft';
import { decoded, type Row, toRow } from './rows';

/** The maximum number of resolved aliases. The parser multiplies the numbers of aliases within each other, so that small files cannot grow huge. */
const MOST_ALIASES = 25_000;
const LIMITS: ToJSOptions = { maxAliasCount: MOST_ALIASES };

/**
 * Parses the documents of a YAML file. A document that is not a mapping becomes an empty row.
 * @param texts reads every scalar as text, so that a token of digits stays as it is
 * @param prepare changes the text before it is parsed
 * @throws UnreadableFile
 */
export function readYaml(file: Buffer, { texts = false, prepare = (text: string) => text } = {}): Row[] {
  try {
    const text = prepare(decoded(file, 'This file is not valid YAML.'));
    const parsed = parseAllDocuments(text, { schema: texts ? 'failsafe' : 'core', merge: true });
    const documents = Array.isArray(parsed) ? parsed : [];
    return documents.map((document) => {
      const [error] = document.errors;
      if (error) throw error;
      return toRow(document.toJS(LIMITS));
    });
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    // Further lines of the message quote the file.
    const [line = ''] = error instanceof YAMLParseError ? error.message.split('\n') : [];
    if (line !== '') throw new UnreadableFile(`This file is not valid YAML: ${cut(line, 200)}`);
    if (error instanceof ReferenceError)
      throw new UnreadableFile('This file uses anchors that it lacks, or too often.');
    throw new UnreadableFile('This file is not valid YAML.');
  }
}
