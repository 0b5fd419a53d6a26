import type { DataReader, DataRow, DataSection } from './data-section.ts'

/** Streams the sections as one JSON object: `about`, then an array of rows for each section. */
export async function* jsonFile(
  about: DataRow,
  sections: readonly DataSection[],
  reader: DataReader,
  personId: string,
): AsyncGenerator<string> {
  yield `{\n"about": ${JSON.stringify(about)}`
  for (const { name, read } of sections) {
    yield `,\n${JSON.stringify(name)}: [`
    let separator = '\n'
    for await (const row of read(reader, personId)) {
      yield separator + JSON.stringify(row)
      separator = ',\n'
    }
    yield '\n]'
  }
  yield '\n}\n'
}
